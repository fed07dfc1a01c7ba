/** Creates elements through the DOM. The page writes no markup, so nothing recorded can become part of it. */

type Child = Node | string | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  for (const child of children) if (child !== undefined && child !== false) made.append(child);
  return made;
}

export function button(
  className: string,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', className, ...children);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found as T;
}
