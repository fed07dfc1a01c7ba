/**
 * Makes the terminal work under the content security policy, which forbids the text of its style elements. While the
 * terminal is created, it gets elements that pass their text to style sheets adopted by the document, which scripts may
 * add.
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
