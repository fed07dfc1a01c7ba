/** Shared by parsing and macro expansion: ids, the position of each id in the text, issues. */

import { currentAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { Expression, LiteralValue } from './expression.ts';
import { issuesMax, type Issue } from './issue.ts';
import { locate, noLocation, type Source } from './source.ts';

export class ParseContext {
  readonly source: Source;
  /** The start of each expression in UTF-16 code units, by id. */
  readonly offsets: number[] = [];
  readonly issues: Issue[] = [];
  readonly #allowance = currentAllowance();
  #nextId = 1;

  constructor(source: Source) {
    this.source = source;
  }

  newId(offset: number): number {
    const id = this.#nextId++;
    this.offsets[id] = offset;
    return id;
  }

  /** For each rule of the grammar that is read and each expression that is checked. @throws AllowanceSpent */
  countStep(): void {
    this.#allowance?.countStep();
  }

  /** The id of a macro call is deleted after its expansion. */
  deleteId(id: number): void {
    delete this.offsets[id];
    if (id === this.#nextId - 1) this.#nextId--;
  }

  report(offset: number, message: string): void {
    this.#add({ location: locate(this.source, offset), message });
  }

  reportWithoutPlace(message: string): void {
    this.#add({ location: noLocation, message });
  }

  /** Beyond the limit issues are only counted, so their content is not needed. */
  #add(issue: Issue): void {
    this.issues.push(this.issues.length < issuesMax ? issue : { location: noLocation, message: '' });
  }

  reportAt(offset: number, message: string): Expression {
    const id = this.newId(offset);
    this.report(offset, message);
    return { kind: 'unspecified', id };
  }

  literal(offset: number, value: LiteralValue): Expression {
    return { kind: 'literal', id: this.newId(offset), value };
  }
}
