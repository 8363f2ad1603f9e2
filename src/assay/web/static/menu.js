// @ts-check
/** Where there is little room the menu lies behind one button. What is chosen in it closes it first: the focus goes back
 * to that button, and from what was opened it comes back there. */
export function wireMenu() {
  const menu = document.getElementById("menu");
  if (!menu || !("popover" in menu)) return;
  menu.addEventListener("click", () => {
    if (menu.matches(":popover-open")) menu.hidePopover();
  }, { capture: true });
}
