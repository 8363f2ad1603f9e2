// @ts-check
/** On the page that asks for the personal link: how many answers this device still keeps for the study. */
import * as device from "./device_store.js";
import { t } from "./words.js";

const place = /** @type {HTMLElement} */ (document.getElementById("kept"));
const n = await device.kept(place.dataset.home ?? "");
place.textContent = n > 0 ? t("status.kept", { n }) : "";
place.hidden = n === 0;
