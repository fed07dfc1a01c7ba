/**
 * Rewrites a module so that each of its functions reports its calls. Text is only inserted, never a line break: line
 * numbers stay the same, and columns can be mapped back ({@link Instrumented.shifts}).
 *
 *     function f(a) { … }           function f(a) {return $coxswainCall(7,[a],()=>{ … })}
 *     async (a) => b                      (a) =>$coxswainCall(8,[a],async()=> b)
 *     *g(a) { … }                    g(a) {return $coxswainCall.iterate(9,[a],()=>(function*(){ … }).call(this))}
 *
 * An arrow function keeps `this`, `arguments` and `super`, and its return value is the result.
 */

import { parse, type AnyNode, type Function as FunctionNode, type Node, type Pattern } from 'acorn';
import type { CalledFunction } from '@coxswain/trace/called-function.ts';

export interface Instrumented {
  readonly code: string;
  /** The insertions by line, in order: the original column and the inserted length. */
  readonly shifts: Shifts;
}

export type Shifts = ReadonlyMap<number, readonly (readonly [column: number, by: number])[]>;

/** Maps a position in the module to the sources; undefined for code that is not ours. */
export type PlaceOf = (
  line: number,
  column: number,
) => { file: string; line: number; column: number } | undefined;

export const hookName = '$coxswainCall';

/** @param add registers a function and returns its number; undefined for one that should not be reported */
export function instrument(
  code: string,
  placeOf: PlaceOf,
  add: (found: CalledFunction) => number | undefined,
): Instrumented {
  const edits = new Edits(code);
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  visit(program, undefined, [], (node, parent, parents) => {
    if (isBodyOfStep(node, parent)) return;
    const place = placeOf(node.loc!.start.line, node.loc!.start.column + 1);
    if (place === undefined) return;
    const parameters = node.params.flatMap(boundNames);
    const id = add({ ...place, name: nameOf(node, parents), parameters });
    if (id === undefined) return;
    if (node.generator) wrapGenerator(node, parent, id, parameters, edits);
    else wrap(node, parent, id, parameters, edits);
  });
  return edits.applied();
}

function wrap(
  node: FunctionNode,
  parent: AnyNode | undefined,
  id: number,
  parameters: readonly string[],
  edits: Edits,
): void {
  const async = node.async ? 'async' : '';
  if (node.async) edits.blank('async', ownStart(node, parent), node.body.start);
  const call = `${hookName}(${id},[${parameters.join(',')}],${async}()=>`;
  if (node.body.type === 'BlockStatement') {
    edits.open(node.body.start + 1, `return ${call}{`);
    edits.close(node.body.end - 1, '})');
  } else {
    edits.open(edits.endOfArrow(node.body.start), call);
    edits.close(node.end, ')');
  }
}

function wrapGenerator(
  node: FunctionNode,
  parent: AnyNode | undefined,
  id: number,
  parameters: readonly string[],
  edits: Edits,
): void {
  // A nested function would lose these bindings.
  if (mentions(node.body, ['Super']) || edits.text(node.body).includes('arguments')) return;
  const start = ownStart(node, parent);
  edits.blank('*', start, node.body.start);
  if (node.async) edits.blank('async', start, node.body.start);
  const inner = `${node.async ? 'async ' : ''}function*`;
  edits.open(
    node.body.start + 1,
    `return ${hookName}.iterate(${id},[${parameters.join(',')}],()=>(${inner}(){`,
  );
  edits.close(node.body.end - 1, '}).call(this))');
}

/** A method's `async` and `*` precede its name, before the function itself. */
const ownStart = (node: FunctionNode, parent: AnyNode | undefined): number =>
  parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)
    ? parent.start
    : node.start;

/** The body of a step is already reported as the step. */
const isBodyOfStep = (node: FunctionNode, parent: AnyNode | undefined): boolean =>
  node.type === 'ArrowFunctionExpression' &&
  parent?.type === 'CallExpression' &&
  parent.callee.type === 'Identifier' &&
  /^(runStep|scopeOf)(\$\d+)?$/.test(parent.callee.name);

interface Edit {
  readonly at: number;
  readonly text: string;
  readonly removed: number;
}

class Edits {
  readonly #code: string;
  readonly #edits: Edit[] = [];
  readonly #closing: Edit[] = [];

  constructor(code: string) {
    this.#code = code;
  }

  open(at: number, text: string): void {
    this.#edits.push({ at, text, removed: 0 });
  }

  /** The part opened last lies inside the earlier ones and is closed first. */
  close(at: number, text: string): void {
    this.#closing.push({ at, text, removed: 0 });
  }

  /** Spaces preserve the columns. */
  blank(word: string, from: number, to: number): void {
    const at = this.#code.indexOf(word, from);
    if (at < 0 || at >= to) throw new Error(`no "${word}" where it was parsed`);
    this.#edits.push({ at, text: ' '.repeat(word.length), removed: word.length });
  }

  endOfArrow(bodyStart: number): number {
    return this.#code.lastIndexOf('=>', bodyStart) + 2;
  }

  text({ start, end }: Node): string {
    return this.#code.slice(start, end);
  }

  applied(): Instrumented {
    const edits = [...this.#edits, ...this.#closing.toReversed()].sort((a, b) => a.at - b.at);
    const shifts = new Map<number, [number, number][]>();
    const parts: string[] = [];
    let [from, line, lineStart] = [0, 1, 0];
    for (const { at, text, removed } of edits) {
      for (let end = this.#code.indexOf('\n', lineStart); end >= 0 && end < at;) {
        line++;
        lineStart = end + 1;
        end = this.#code.indexOf('\n', lineStart);
      }
      parts.push(this.#code.slice(from, at), text);
      from = at + removed;
      if (text.length === removed) continue;
      const ofLine = shifts.get(line);
      if (ofLine === undefined) shifts.set(line, [[at - lineStart, text.length]]);
      else ofLine.push([at - lineStart, text.length]);
    }
    parts.push(this.#code.slice(from));
    return { code: parts.join(''), shifts };
  }
}

/** Maps a column of the instrumented line to the original one, both counted from 1. */
export function originalColumn(shifts: Shifts, line: number, column: number): number {
  let shifted = 0;
  for (const [at, by] of shifts.get(line) ?? []) {
    if (at + shifted >= column - 1) break;
    shifted += Math.min(by, column - 1 - at - shifted);
  }
  return column - shifted;
}

const isFunction = (node: AnyNode): node is AnyNode & FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

type Visitor = (node: FunctionNode, parent: AnyNode | undefined, parents: readonly AnyNode[]) => void;

function visit(node: AnyNode, parent: AnyNode | undefined, parents: AnyNode[], visitor: Visitor): void {
  if (isFunction(node)) visitor(node, parent, parents);
  parents.push(node);
  for (const child of childrenOf(node)) visit(child, node, parents, visitor);
  parents.pop();
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node as unknown as Record<string, unknown>).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const mentions = (node: AnyNode, types: readonly string[]): boolean =>
  types.includes(node.type) || childrenOf(node).some((child) => mentions(child, types));

function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap((member) =>
        boundNames(member.type === 'RestElement' ? member.argument : member.value),
      );
    default:
      return [];
  }
}

/** The name that a reader would use: the function's own, or that of its variable, property or callee. */
function nameOf(node: FunctionNode, parents: readonly AnyNode[]): string {
  if (node.id) return plain(node.id.name);
  const parent = parents.at(-1);
  switch (parent?.type) {
    case 'MethodDefinition':
      return parent.kind === 'constructor' ? `new ${className(parents)}` : keyOf(parent);
    case 'PropertyDefinition':
    case 'Property':
      return keyOf(parent);
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? plain(parent.id.name) : 'function';
    case 'AssignmentExpression':
      return textOf(parent.left);
    case 'CallExpression':
    case 'NewExpression':
      return (parent.callee as AnyNode) === node ? anonymous(parents) : `${textOf(parent.callee)} callback`;
    default:
      return anonymous(parents);
  }
}

function anonymous(parents: readonly AnyNode[]): string {
  const at = parents.findLastIndex((one) => isFunction(one));
  const outer = parents[at];
  return outer === undefined || !isFunction(outer)
    ? 'function'
    : `function of ${nameOf(outer, parents.slice(0, at))}`;
}

/** Bundlers write `const A = class { … }`. */
function className(parents: readonly AnyNode[]): string {
  const at = parents.findLastIndex(
    (one) => one.type === 'ClassDeclaration' || one.type === 'ClassExpression',
  );
  const declared = parents[at] as { readonly id?: { readonly name: string } | null } | undefined;
  const holder = parents[at - 1];
  if (declared?.id) return plain(declared.id.name);
  if (holder?.type === 'VariableDeclarator') return textOf(holder.id);
  return holder?.type === 'AssignmentExpression' ? textOf(holder.left) : 'class';
}

interface Keyed {
  readonly key: AnyNode;
}

const keyOf = ({ key }: Keyed): string =>
  key.type === 'Literal'
    ? String(key.value)
    : key.type === 'PrivateIdentifier'
      ? `#${key.name}`
      : textOf(key);

function textOf(node: AnyNode): string {
  if (node.type === 'Identifier') return plain(node.name);
  if (node.type === 'PrivateIdentifier') return `#${node.name}`;
  if (node.type === 'MemberExpression') return textOf(node.property);
  return 'function';
}

/** Bundlers append `$1` to names that occur twice. */
const plain = (name: string): string => name.replace(/\$\d+$/, '');
