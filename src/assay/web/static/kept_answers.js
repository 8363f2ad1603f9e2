// @ts-check
/** A page that asks for the personal link: answers that this device still keeps for the study are not forgotten. */
import * as device from "./device_store.js";
import { t } from "./words.js";

const place = /** @type {HTMLElement} */ (document.getElementById("kept"));
const n = await device.kept(place.dataset.home ?? "");
place.textContent = n > 0 ? t("status.kept", { n }) : "";
place.hidden = n === 0;
