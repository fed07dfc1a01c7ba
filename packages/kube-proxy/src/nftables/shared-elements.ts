/** The elements of one set or map. Several services may claim the same element. */
import { containers, type Container } from './base-chains.ts';
import type { Element } from './service-objects.ts';

interface Wish {
  readonly owner: string;
  readonly verdict: string;
  readonly comment: string;
}

/** In nft's syntax. */
const commentLengthMax = 127;

export class SharedElements {
  readonly #container: Container;
  /** The first one owns the element; the others wait. */
  readonly #wishes = new Map<string, Wish[]>();
  /** The kernel's values of keys touched since the last transaction; undefined if the key was absent. */
  readonly #before = new Map<string, string | undefined>();
  /** Nothing can be compared before the first complete write. */
  #isLoaded = false;

  constructor(container: Container) {
    this.#container = container;
  }

  add(owner: string, { key, verdict = '', comment = '' }: Element): void {
    this.#touch(key);
    const wishes = this.#wishes.get(key);
    const wish = { owner, verdict, comment };
    if (wishes === undefined) this.#wishes.set(key, [wish]);
    else if (!wishes.some((one) => one.owner === owner)) wishes.push(wish);
  }

  remove(owner: string, key: string): void {
    const wishes = this.#wishes.get(key);
    if (wishes === undefined) return;
    this.#touch(key);
    const left = wishes.filter((one) => one.owner !== owner);
    if (left.length === 0) this.#wishes.delete(key);
    else this.#wishes.set(key, left);
  }

  /** Commands for the differences since the last call: deletions, then additions. */
  takeChanges(table: string): string[] {
    const deleted: string[] = [];
    const added: string[] = [];
    for (const [key, before] of this.#before) {
      const now = this.#textOf(key);
      if (now === before) continue;
      if (before !== undefined) deleted.push(key);
      if (now !== undefined) added.push(now);
    }
    this.#before.clear();
    return [...this.#command('delete', table, deleted), ...this.#command('add', table, added)];
  }

  /** All elements, for an empty set or map. */
  everything(table: string): string[] {
    this.#before.clear();
    this.#isLoaded = true;
    return this.#command(
      'add',
      table,
      [...this.#wishes.keys()].map((key) => this.#textOf(key)!),
    );
  }

  #command(verb: string, table: string, elements: readonly string[]): string[] {
    return elements.length === 0
      ? []
      : [`${verb} element ${table} ${this.#container} { ${elements.join(' , ')} }`];
  }

  #touch(key: string): void {
    if (this.#isLoaded && !this.#before.has(key)) this.#before.set(key, this.#textOf(key));
  }

  #textOf(key: string): string | undefined {
    const wish = this.#wishes.get(key)?.[0];
    if (wish === undefined) return undefined;
    const remark = wish.comment === '' ? '' : ` comment "${wish.comment.slice(0, commentLengthMax)}"`;
    return containers[this.#container].kind === 'set' ? key : `${key}${remark} : ${wish.verdict}`;
  }
}
