/* These functions run in the page: they may use nothing but what the page has. */

/** Returns what is cut, what lies outside of the window, and whether the page scrolls sideways. */
export function cutOrOutside(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  const named = (element: Element): string => {
    const id = element.closest('[data-testid]')?.getAttribute('data-testid') ?? '';
    const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} "${text.trim().slice(0, 40)}" in ${id}`;
  };
  for (const each of [root, ...document.querySelectorAll('#page, header, [role="dialog"]')]) {
    if (each.scrollWidth > each.clientWidth + 1) faults.push(`scrolls sideways by ${each.scrollWidth - each.clientWidth}: ${named(each)}`);
  }
  if (root.scrollHeight > root.clientHeight + 1) faults.push(`the page scrolls by ${root.scrollHeight - root.clientHeight}`);
  const overlays = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].filter((each) => each.checkVisibility());
  const isBehind = (element: Element): boolean => overlays.length > 0 && !overlays.some((overlay) => overlay.contains(element));
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isBehind(element);
  for (const element of document.querySelectorAll<HTMLElement>(
    'h1, h2, h3, .amount, .amount-cell, .amount-header .ag-header-cell-text, dd, th',
  )) {
    if (!isSeen(element) || element.clientWidth === 0) continue;
    const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
    if (isCut && element.closest('[title]') === null) faults.push(`is cut: ${named(element)}`);
  }
  const scrolls = (element: Element, axis: 'X' | 'Y'): boolean => {
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      const way = getComputedStyle(each)[`overflow${axis}`];
      if (way === 'auto' || way === 'scroll') return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input:not([type="file"]), select, textarea')) {
    if (!isSeen(element) || element.closest('[aria-hidden="true"], .tieout-grid') !== null) continue;
    const { left, right, top, bottom, width } = element.getBoundingClientRect();
    if (width < 2) continue;
    const isAside = (right > innerWidth + 1 || left < -1) && !scrolls(element, 'X');
    const isBelow = (bottom > innerHeight + 1 || top < -1) && !scrolls(element, 'Y');
    if (isAside || isBelow) faults.push(`is outside of the window: ${named(element)}`);
  }
  return faults;
}

/** Returns the kinds of controls that look the same with the focus as without it. */
export async function withoutRing(): Promise<string[]> {
  const faults: string[] = [];
  const kinds = new Set<string>();
  const look = (element: Element): string => {
    const parts = [element, element.parentElement, element.nextElementSibling, element.firstElementChild].flatMap((each) => {
      if (each === null) return [];
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
      return outlineStyle === 'none' ? [boxShadow, borderColor, backgroundColor] : [outlineWidth, outlineColor, boxShadow];
    });
    return parts.join(' ');
  };
  const before = document.activeElement;
  for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]')) {
    const kind = `${element.tagName} ${element.className}`;
    if (
      kinds.has(kind) ||
      element.tabIndex < 0 ||
      element.matches(':disabled, .ag-tab-guard') ||
      !element.checkVisibility({ visibilityProperty: true })
    )
      continue;
    kinds.add(kind);
    element.blur();
    const without = look(element);
    element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    if (document.activeElement === element && look(element) === without) faults.push(`shows no focus: ${kind.slice(0, 120)}`);
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return faults;
}
