/** The details of the selected step or undertaking. */

import { durationText, momentText } from '../src/text/durations.ts';
import { button, byId, element } from './elements.ts';
import { causesOf, effectsOf, ownNs, type Model, type Node } from './model.ts';
import { scrollToLine, sourceElement } from './source.ts';
import { valuesElement } from './values.ts';

/** Longer lists are truncated; a button shows the rest. */
const linksMax = 12;

export class Details {
  readonly #panel = byId('details');
  readonly #model: Model;
  readonly #onSelect: (node: Node) => void;

  constructor(model: Model, onSelect: (node: Node) => void) {
    this.#model = model;
    this.#onSelect = onSelect;
  }

  show(node: Node | undefined): void {
    this.#panel.scrollTop = 0;
    if (node === undefined) {
      this.#panel.replaceChildren(
        element(
          'p',
          'empty',
          'Select a step to see its values, its source, what caused it and what it led to.',
        ),
      );
      return;
    }
    const { span, step } = node;
    this.#panel.replaceChildren(
      this.#path(node),
      element('h2', '', span.name),
      this.#facts(node),
      ...(span.failure === undefined ? [] : [element('p', 'failure', `✗ ${span.failure}`)]),
      ...this.#links('Because of', causesOf(this.#model, node)),
      ...this.#links('Led to', effectsOf(this.#model, node)),
      ...(Object.keys(span.values ?? {}).length === 0
        ? []
        : [element('h3', '', 'Values'), valuesElement(span.values!)]),
      ...(step === undefined ? [] : this.#places(step)),
    );
    this.#panel.querySelectorAll<HTMLElement>('.source').forEach(scrollToLine);
  }

  /** The path from the undertaking to the node that contains this one. Each element of it can be selected. */
  #path(node: Node): HTMLElement {
    const above: Node[] = [];
    for (let at = node.parent; at !== undefined; at = at.parent) above.unshift(at);
    const { kind, component } = node.undertaking;
    return element(
      'div',
      'path',
      element('span', `badge ${kind}`, kind),
      element('span', 'component', component),
      ...above.flatMap((each) => [
        element('span', 'between', '›'),
        button('crumb', () => this.#onSelect(each), each.span.name),
      ]),
    );
  }

  #facts(node: Node): HTMLElement {
    const { span, step } = node;
    const own = ownNs(node);
    const facts = [
      ['start', momentText(span.startNs - this.#model.startNs)],
      ['total', span.durationNs === undefined ? 'still under way at the end' : durationText(span.durationNs)],
      ...(own === undefined || own === span.durationNs ? [] : [['self', durationText(own)]]),
      ...(step === undefined ? [['id', node.undertaking.id]] : []),
    ];
    return element(
      'div',
      'facts',
      ...facts.map(([name = '', value = '']) =>
        element('span', 'fact', element('span', 'name', name), element('span', 'value', value)),
      ),
    );
  }

  #links(title: string, links: readonly { node: Node; how: string }[]): HTMLElement[] {
    if (links.length === 0) return [];
    const list = element('div', 'links', ...links.slice(0, linksMax).map((link) => this.#link(link)));
    const rest = links.slice(linksMax);
    if (rest.length > 0) {
      const more = button(
        'more',
        () => more.replaceWith(...rest.map((link) => this.#link(link))),
        `${rest.length} more`,
      );
      list.append(more);
    }
    return [element('h3', '', `${title} (${links.length})`), list];
  }

  #link({ node, how }: { node: Node; how: string }): HTMLElement {
    const { undertaking } = node;
    const name = undertaking.name.replace(new RegExp(`^${RegExp.escape(undertaking.component)} `), '');
    return button(
      'link',
      () => this.#onSelect(node),
      element('span', `dot ${undertaking.kind}`),
      element(
        'span',
        'what',
        element('b', '', undertaking.kind === 'request' ? '' : `${undertaking.component} `),
        name,
      ),
      element('span', 'how', how),
    );
  }

  #places({ file, line, function: name, definition }: NonNullable<Node['step']>): HTMLElement[] {
    if (file === '') return [];
    const sources = this.#model.recording.sources ?? {};
    const places = [
      { title: 'Source', file, line },
      ...(definition ? [{ title: 'Defined', ...definition }] : []),
    ];
    return places.flatMap((place) => {
      const text = sources[place.file];
      return [
        element(
          'h3',
          '',
          place.title,
          element('span', 'function', name),
          button(
            'place',
            () => void navigator.clipboard?.writeText(`${place.file}:${place.line}`),
            `${place.file}:${place.line}`,
          ),
        ),
        ...(text === undefined ? [] : [sourceElement(text, place.line)]),
      ];
    });
  }
}
