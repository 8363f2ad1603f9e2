"""Which tests a mutant of `tools/mutate.py` must get past, by module of the statistics and by folder of the rest."""

KNOWN = "test_canonical test_known_answers test_agree"
COMPARED = "test_oracles test_canonical"
TABLE = {
    "percent_agreement within_one_agreement cohen_kappa scott_pi pairs fleiss_kappa conger_kappa": KNOWN,
    "brennan_prediger gwet_ac chance kendall_w": KNOWN,
    "krippendorff_alpha": f"{KNOWN} test_from_arrays",
    "icc_one_way icc_two_way intraclass": f"test_intraclass {KNOWN}",
    "spearman_brown": "test_spearman_brown test_canonical",
    "bootstrap jackknife": "test_intervals test_from_arrays test_coverage",
    "base __init__": f"{KNOWN} test_intervals test_degenerate",
    "patterns": f"test_from_arrays test_intervals {KNOWN}",
    "table frames factors": f"test_ratings_table test_from_arrays {KNOWN}",
    "f_distribution": "test_f_distribution test_intraclass",
    "estimate correlation halo leave_one_out rest_kappa similar spread_ratio wilson benjamini_hochberg": (
        "test_annotator_statistics test_oracles"
    ),
    "finite": "test_degenerate",
    "aggregates dawid_skene": "test_aggregates",
    "alt_test calibration": f"test_calibration {COMPARED}",
    "bradley_terry paired_comparison": f"test_bradley_terry {COMPARED}",
    "effect_sizes multiple": f"test_effect_sizes {COMPARED}",
    "binary_tests rank_tests": f"test_system_comparisons test_binomial {COMPARED}",
    "systems": "test_system_comparisons test_effect_sizes test_degenerate",
    "judges weighted_formulas system_level": f"test_judges {COMPARED}",
    "planning precision": f"test_planning test_degenerate {COMPARED}",
    "preferences": f"test_preferences test_degenerate {COMPARED}",
    "measure resample": "test_resample test_system_comparisons",
}
TESTS = {module: tests.split() for modules, tests in TABLE.items() for module in modules.split()}
"""The tests of each module, those first that fail soonest. Of a module that is not named here: all that name it."""

ELSEWHERE = {
    "acts": "acts/test_attempt_result acts/test_may_judge store/test_exclusions store/test_reassigning "
    "store/test_flags store/test_undo_import store/test_begin_again web/test_pairs_pages web/test_calibration "
    "web/test_manage web/test_oversight web/test_publishing web/test_submissions web/test_drafts web/test_navigation "
    "web/test_gates web/test_api cli/test_managing cli/test_gate cli/test_import_judgments sheets/test_ratings",
    "exchange": "exchange/test_atomic exchange/test_layouts exchange/test_export_columns exchange/test_contract "
    "cli/test_export",
    "store/annotator": "store/test_exactly_k store/test_work store/test_pairs store/test_assignment store/test_pace "
    "store/test_held_places store/test_reassigning store/test_places_from_files web/test_submissions web/test_drafts "
    "web/test_navigation web/test_calibration web/test_warned web/test_item_list web/test_all_items "
    "store/test_duplicates store/test_people_part",
    "assignment": "assignment/test_workload test_simulate store/test_assignment store/test_pairs",
    "gates": "test_gates judgments/test_reference test_kinds test_golden web/test_gates web/test_journey "
    "web/test_calibration",
    "judgments": "judgments/test_what_counts judgments/test_rules judgments/test_read_answers judgments/test_derive "
    "judgments/test_reference "
    "judgments/test_questionnaire judgments/test_lint report/test_systems report/test_preferences_section",
    "report/sections": "report/test_known_empathy report/test_known_in_car report/test_known_route_planning "
    "report/test_known_trajectories report/test_known_dialog_pairs report/test_systems report/test_preferences_section "
    "report/test_annotators_section report/test_judges_section report/test_fieldwork_sections report/test_report "
    "report/test_excluded report/test_adjudication report/test_agreed_values report/test_flags_section "
    "report/test_overview_section report/test_summary report/test_comparisons report/test_fair_averages_section "
    "report/test_variance_section report/test_groups_section report/test_notes report/test_protocol "
    "report/test_judges_together report/test_distributions_section report/test_counts_section "
    "report/test_people_and_judges report/test_decisions test_golden",
}
"""The tests of each folder outside the statistics, those first that fail soonest. They run on SQLite alone."""
