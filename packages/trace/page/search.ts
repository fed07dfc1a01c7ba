/** Finds nodes by words: in names, components, functions, files and values. */

import type { Model, Node } from './model.ts';

export class Search {
  readonly #model: Model;
  readonly #texts: string[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  /** Every word must match. Undefined when the query has no words. */
  find(query: string): ReadonlySet<number> | undefined {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return undefined;
    const found = new Set<number>();
    for (const node of this.#model.nodes)
      if (words.every((word) => this.#text(node).includes(word))) found.add(node.id);
    return found;
  }

  #text(node: Node): string {
    return (this.#texts[node.id] ??= textOf(node));
  }
}

function textOf({ span, undertaking, step }: Node): string {
  const own = step === undefined ? undertaking.id : `${step.function} ${step.file}:${step.line}`;
  const values = span.values === undefined ? '' : JSON.stringify(span.values);
  return `${span.name} ${undertaking.component} ${undertaking.kind} ${own} ${span.failure ?? ''} ${values}`.toLowerCase();
}
