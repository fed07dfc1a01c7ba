/**
 * The terminal makes elements of style, whose text the content security policy forbids. While it is made, these are
 * given to it as elements that pass their text on to style sheets of the document, which scripts may have.
 */

export function withAdoptedStyles(make: () => void): void {
  const create = document.createElement;
  document.createElement = function createElement(
    this: Document,
    name: string,
    options?: ElementCreationOptions,
  ) {
    return name === 'style' ? styleInName() : create.call(document, name, options);
  } as typeof document.createElement;
  try {
    make();
  } finally {
    document.createElement = create;
  }

  function styleInName(): HTMLElement {
    const element = create.call(document, 'span');
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    element.hidden = true;
    element.remove = () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      HTMLElement.prototype.remove.call(element);
    };
    Object.defineProperty(element, 'textContent', {
      set(text: string) {
        sheet.replaceSync(text);
      },
    });
    return element;
  }
}
