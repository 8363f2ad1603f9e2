// @ts-check
/** Where there is little room the menu lies behind one button. Choosing an entry closes the menu first, so that the
 * focus is on that button, and returns there from a dialog that the entry opened. */
export function wireMenu() {
  const menu = document.getElementById("menu");
  if (!menu || !("popover" in menu)) return;
  menu.addEventListener("click", () => {
    if (menu.matches(":popover-open")) menu.hidePopover();
  }, { capture: true });
}

/** The bar is one line: where words do not fit, first the names of the keys go, then that of the study, then when
 * the break comes. It is looked at when it has grown, so that nothing is measured as long as everything fits. */
export function keepBarLow() {
  const bar = /** @type {HTMLElement} */ (document.querySelector("header.bar"));
  const wide = matchMedia("(width > 900px)");
  let low = 0;
  const watcher = new ResizeObserver(() => {
    low ||= parseFloat(getComputedStyle(bar).minHeight) + 2;
    for (let level = Number(bar.dataset.crowded ?? 0) + 1; wide.matches && level <= 3 && bar.offsetHeight > low; level += 1) {
      bar.dataset.crowded = String(level);
    }
  });
  watcher.observe(bar);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    delete bar.dataset.crowded;
  });
}
