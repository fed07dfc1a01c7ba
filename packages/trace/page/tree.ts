/** The tree beside the timeline. Only its visible rows are in the document. */

import { durationText, momentText } from '../src/text/durations.ts';
import { summaryOf } from '../src/text/values-text.ts';
import { byId, element } from './elements.ts';
import { shownNs, type Model, type Node } from './model.ts';
import { TreeRows, type TreeRow } from './tree-rows.ts';

const rowHeight = 25;
const spareRows = 8;

export class Tree {
  readonly #model: Model;
  readonly #scroller = byId('tree');
  readonly #content = element('div', 'rows');
  readonly #onSelect: (node: Node) => void;
  readonly #state: TreeRows;
  #rows: readonly TreeRow[] = [];
  #selected: Node | undefined;
  #found: ReadonlySet<number> | undefined;

  constructor(model: Model, onSelect: (node: Node) => void) {
    this.#model = model;
    this.#onSelect = onSelect;
    this.#state = new TreeRows(model);
    this.#scroller.append(this.#content);
    this.#scroller.addEventListener('scroll', () => this.#paint());
    new ResizeObserver(() => this.#paint()).observe(this.#scroller);
    this.refresh();
  }

  refresh(): void {
    const rows = this.#state.rows();
    const found = this.#found;
    this.#rows =
      found === undefined ? rows : rows.filter((row) => row.kind === 'node' && found.has(row.node.id));
    this.#content.style.height = `${this.#rows.length * rowHeight}px`;
    this.#paint();
  }

  /** Limits the rows to the nodes that were found. */
  show(found: ReadonlySet<number> | undefined): void {
    this.#found = found;
    for (const id of found ?? []) this.#state.reveal(this.#model.nodes[id]!);
    this.#scroller.scrollTop = 0;
    this.refresh();
  }

  select(node: Node | undefined): void {
    this.#selected = node;
    if (node !== undefined) {
      this.#state.reveal(node);
      this.refresh();
      this.#scrollTo(this.#rows.findIndex((row) => row.kind === 'node' && row.node === node));
    } else this.#paint();
  }

  toggleAll(isOpen: boolean): void {
    this.#state.toggleAll(isOpen);
    this.refresh();
  }

  /** Moves to the next or previous row that shows a step or an undertaking. */
  step(by: 1 | -1): void {
    let at = this.#selectedRow();
    do at += by;
    while (this.#rows[at]?.kind === 'filters');
    const row = this.#rows[at];
    if (row?.kind === 'node') this.#onSelect(row.node);
  }

  /** Opens the selected row, or enters it if it is open; closes it, or leaves it if it is closed. */
  open(isOpen: boolean): void {
    const at = this.#selectedRow();
    const row = this.#rows[at];
    if (row?.kind !== 'node') return;
    if (row.hasMore && row.isOpen !== isOpen) {
      this.#state.toggle(row, isOpen);
      this.refresh();
    } else if (isOpen) this.step(1);
    else {
      const above = this.#rows
        .slice(0, at)
        .findLast((other) => other.kind === 'node' && other.level < row.level);
      if (above?.kind === 'node') this.#onSelect(above.node);
    }
  }

  #selectedRow(): number {
    return this.#rows.findIndex((row) => row.kind === 'node' && row.node === this.#selected);
  }

  #scrollTo(index: number): void {
    if (index < 0) return;
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop + rowHeight || top > scrollTop + clientHeight - 2 * rowHeight)
      this.#scroller.scrollTop = top - clientHeight / 3;
    this.#paint();
  }

  #paint(): void {
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / rowHeight) - spareRows);
    const count = Math.ceil(this.#scroller.clientHeight / rowHeight) + 2 * spareRows;
    const rows = this.#rows.slice(first, first + count).map((row, index) => {
      const made = row.kind === 'node' ? this.#nodeRow(row) : this.#filtersRow(row);
      made.style.top = `${(first + index) * rowHeight}px`;
      made.style.setProperty('--level', String(this.#found === undefined ? row.level : 0));
      return made;
    });
    this.#content.replaceChildren(...rows);
  }

  #nodeRow(row: Extract<TreeRow, { kind: 'node' }>): HTMLElement {
    const { node } = row;
    const { span, undertaking, step } = node;
    const isUndertaking = step === undefined;
    const summary = summaryOf(span.values, span.name);
    const made = element(
      'div',
      ['row', isUndertaking ? 'undertaking' : 'step', node === this.#selected && 'selected']
        .filter(Boolean)
        .join(' '),
      this.#chevron(row, row.hasMore),
      isUndertaking && element('span', `dot ${undertaking.kind}`),
      element(
        'span',
        'what',
        isUndertaking && undertaking.kind !== 'request' && !span.name.startsWith(`${undertaking.component} `)
          ? element('b', '', undertaking.component, ' ')
          : undefined,
        element('span', 'title', span.name),
        span.failure !== undefined && element('span', 'failure', ` ✗ ${span.failure}`),
        summary !== '' && element('span', 'summary', summary),
      ),
      element('span', 'duration', durationText(shownNs(node))),
      element('span', 'moment', momentText(span.startNs - this.#model.startNs)),
    );
    made.addEventListener('click', () => this.#onSelect(node));
    return made;
  }

  #filtersRow(row: Extract<TreeRow, { kind: 'filters' }>): HTMLElement {
    const { filters } = row;
    const sum = filters.reduce((total, node) => total + (shownNs(node) ?? 0), 0);
    const made = element(
      'div',
      'row step folded',
      this.#chevron(row, true),
      element('span', 'what', `${filters.length} filters`),
      element('span', 'duration', durationText(sum)),
      element('span', 'moment', momentText(filters[0]!.span.startNs - this.#model.startNs)),
    );
    made.addEventListener('click', () => this.#toggle(row));
    return made;
  }

  #chevron(row: TreeRow, hasMore: boolean): HTMLElement {
    const made = element('span', hasMore ? `chevron ${row.isOpen ? 'open' : ''}` : 'chevron none', '▸');
    if (hasMore)
      made.addEventListener('click', (event) => {
        event.stopPropagation();
        this.#toggle(row);
      });
    return made;
  }

  #toggle(row: TreeRow): void {
    this.#state.toggle(row);
    this.refresh();
  }
}
