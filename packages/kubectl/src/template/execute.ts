/** Executes a Go template on plain JSON. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import {
  argumentCounts,
  functions,
  goText,
  isTrue,
  textFunctions,
  type TemplateFunction,
  type Written,
} from './functions.ts';
import { lineOf, TemplateError } from './lex.ts';
import { parseTemplate, type Node, type Operand, type Pipe, type Template } from './parse.ts';
import { goTypeName, type IntegerType } from './printf.ts';

export interface TemplateOptions {
  /** Missing keys yield no value instead of an error. */
  readonly allowMissingKeys: boolean;
  /** In addition to those that all templates have. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
}

export interface CompiledTemplate {
  /** Includes the output before a failure. */
  execute(data: unknown): { readonly text: string; readonly failure?: Error };
}

/** Limits the recursion of templates that call each other. */
const callDepthMax = 1000;

/** @throws TemplateError if the template is invalid */
export function compileTemplate(name: string, source: string, options: TemplateOptions): CompiledTemplate {
  const template = parseTemplate(name, source, new Set(Object.keys({ ...functions, ...options.functions })));
  return {
    execute(data) {
      const run = new Run(template, options);
      try {
        run.nodes(template.root, data, [['$', data]]);
        return { text: run.text };
      } catch (failure) {
        return { text: run.text, failure: failure as Error };
      }
    },
  };
}

type Variables = [string, unknown][];

class Jump extends Error {
  readonly kind: 'break' | 'continue';

  constructor(kind: 'break' | 'continue') {
    super(kind);
    this.kind = kind;
  }
}

class Run {
  text = '';
  #depth = 0;
  /** The name of the template that is executed. */
  #executing: string;
  readonly #template: Template;
  readonly #options: TemplateOptions;

  constructor(template: Template, options: TemplateOptions) {
    this.#template = template;
    this.#executing = template.name;
    this.#options = options;
  }

  nodes(nodes: readonly Node[], dot: unknown, variables: Variables): void {
    for (const node of nodes) this.#node(node, dot, variables);
  }

  #node(node: Node, dot: unknown, variables: Variables): void {
    switch (node.type) {
      case 'text':
        this.text += node.text;
        return;
      case 'action': {
        const value = this.#pipe(node.pipe, dot, variables);
        if (node.pipe.variables.length === 0) this.text += goText(value);
        return;
      }
      case 'if':
      case 'with': {
        const scope: Variables = [...variables];
        const value = this.#pipe(node.pipe, dot, scope);
        if (isTrue(value)) this.#scoped(node.body, node.type === 'with' ? value : dot, scope, variables);
        else this.#scoped(node.otherwise, dot, scope, variables);
        return;
      }
      case 'range':
        return this.#range(node, dot, variables);
      case 'template':
        return this.#call(node, dot, variables);
      default:
        throw new Jump(node.type);
    }
  }

  /** Runs a block; assignments to outer variables persist, its own variables don't. */
  #scoped(nodes: readonly Node[], dot: unknown, scope: Variables, outer: Variables): void {
    this.nodes(nodes, dot, scope);
    outer.forEach((pair, index) => {
      pair[1] = scope[index]?.[1];
    });
  }

  #range(node: Extract<Node, { type: 'range' | 'if' | 'with' }>, dot: unknown, variables: Variables): void {
    const value = this.#pipe({ ...node.pipe, variables: [] }, dot, variables);
    const names = node.pipe.variables;
    const entries = this.#entries(value, node.pipe, names.length);
    if (entries.length === 0) return this.nodes(node.otherwise, dot, [...variables]);
    for (const [key, item] of entries) {
      const scope: Variables = [...variables];
      if (names.length === 1) scope.push([names[0] as string, item]);
      if (names.length === 2) scope.push([names[0] as string, key], [names[1] as string, item]);
      try {
        this.#scoped(node.body, item, scope, variables);
      } catch (jump) {
        if (!(jump instanceof Jump)) throw jump;
        if (jump.kind === 'break') return;
      }
    }
  }

  #entries(value: unknown, pipe: Pipe, names: number): (readonly [unknown, unknown])[] {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return value.map((item: unknown, index) => [BigInt(index), item] as const);
    if (typeof value === 'bigint' && names > 1)
      return this.#failAtLast(pipe, `can't use ${value} to iterate over more than one variable`);
    if (typeof value === 'bigint')
      return Array.from({ length: Number(value) }, (_item, index) => [BigInt(index), BigInt(index)] as const);
    if (typeof value === 'object') {
      const object = value as Record<string, unknown>;
      return Object.keys(object)
        .sort()
        .map((key) => [key, object[key]] as const);
    }
    return this.#failAtLast(pipe, `range can't iterate over ${goText(value)}`);
  }

  #call(node: Extract<Node, { type: 'template' }>, dot: unknown, variables: Variables): void {
    const body = this.#template.defined.get(node.name);
    const text = `{{template ${goQuote(node.name)}${node.pipe === undefined ? '' : ` ${node.pipe.text}`}}}`;
    if (body === undefined) return this.#fail(node.at, text, `template ${goQuote(node.name)} not defined`);
    if (++this.#depth > callDepthMax)
      this.#fail(node.at, text, `exceeded maximum template depth (${callDepthMax})`);
    const data = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot, variables);
    const caller = this.#executing;
    this.#executing = node.name;
    this.nodes(body, data, [['$', data]]);
    this.#executing = caller;
    this.#depth--;
  }

  #pipe(pipe: Pipe, dot: unknown, variables: Variables): unknown {
    let value: unknown;
    pipe.commands.forEach((operands, index) => {
      const before = pipe.commands[index - 1]?.[0];
      const piped = before === undefined ? undefined : { value, integers: integersOf(before) };
      value = this.#command(operands, dot, variables, piped, pipe.texts[index]);
    });
    for (const name of pipe.variables) {
      if (!pipe.assigns) variables.push([name, value]);
      else {
        const known = variables.findLast(([one]) => one === name);
        if (known === undefined) this.#failAtLast(pipe, `undefined variable: ${name}`);
        else known[1] = value;
      }
    }
    return value;
  }

  #command(
    operands: readonly Operand[],
    dot: unknown,
    variables: Variables,
    piped: Piped | undefined,
    text?: string,
  ): unknown {
    const [first, ...rest] = operands as [Operand, ...Operand[]];
    if (first.type !== 'function' || first.names.length > 0) {
      if (rest.length > 0 || piped !== undefined) {
        const method = 'names' in first ? first.names.at(-1) : undefined;
        return this.#fail(
          first.at,
          textOf(first),
          method === undefined
            ? `can't give argument to non-function ${textOf(first)}`
            : `${method} is not a method but has arguments`,
        );
      }
      if (first.type === 'nil') return this.#fail(first.at, 'nil', 'nil is not a command');
      return this.#operand(first, dot, variables);
    }
    this.#countArguments(first, rest.length + (piped === undefined ? 0 : 1));
    const args = rest.map((operand) => this.#operand(operand, dot, variables));
    const written: Written[] = rest.map((operand) => ({
      text: textOf(operand),
      integers: integersOf(operand),
    }));
    if (piped !== undefined) {
      args.push(piped.value);
      written.push({ text: goText(piped.value), integers: piped.integers });
    }
    if (textFunctions.has(first.name)) this.#requireText(args[0], rest[0], first);
    try {
      return (this.#options.functions?.[first.name] ?? functions[first.name])?.(args, written);
    } catch (failure) {
      if (failure instanceof TemplateError || failure instanceof Jump) throw failure;
      return this.#fail(first.at, text ?? first.name, `error calling ${first.name}: ${messageOf(failure)}`);
    }
  }

  #countArguments({ name, at }: Extract<Operand, { type: 'function' }>, got: number): void {
    const wanted = argumentCounts[name];
    if (wanted === undefined || (wanted.isExact ? got === wanted.least : got >= wanted.least)) return;
    const want = `${wanted.isExact ? '' : 'at least '}${wanted.least}`;
    this.#fail(at, name, `wrong number of args for ${name}: want ${want} got ${got}`);
  }

  #requireText(value: unknown, operand: Operand | undefined, called: Operand): void {
    if (typeof value === 'string') return;
    const { at } = operand ?? called;
    const text = textOf(operand ?? called);
    if (operand?.type === 'value') this.#fail(at, text, `expected string; found ${text}`);
    if (value === null || value === undefined) this.#fail(at, text, 'invalid value; expected string');
    const type = goTypeName(value, operand === undefined ? 'int64' : integersOf(operand));
    this.#fail(at, text, `wrong type for value; expected string; got ${type}`);
  }

  #operand(operand: Operand, dot: unknown, variables: Variables): unknown {
    switch (operand.type) {
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
      case 'value':
        return operand.value;
      case 'field':
        return this.#fields(dot, operand.names, operand);
      case 'variable':
        return this.#fields(
          variables.findLast(([name]) => name === operand.name)?.[1],
          operand.names,
          operand,
        );
      case 'pipe':
        return this.#fields(this.#pipe(operand.pipe, dot, variables), operand.names, operand);
      case 'function':
        return this.#fields(
          this.#command([{ ...operand, names: [], text: operand.name }], dot, variables, undefined),
          operand.names,
          operand,
        );
    }
  }

  #fields(start: unknown, names: readonly string[], operand: Extract<Operand, { text: string }>): unknown {
    let value = start;
    names.forEach((name, index) => {
      if (value === null || value === undefined) {
        if (index === 0 && operand.type === 'field') {
          value = this.#fail(operand.at, operand.text, `nil data; no entry for key "${name}"`);
        }
        value = this.#options.allowMissingKeys
          ? undefined
          : this.#fail(operand.at, operand.text, `nil pointer evaluating interface {}.${name}`);
        return;
      }
      if (typeof value !== 'object' || Array.isArray(value)) {
        value = this.#fail(
          operand.at,
          operand.text,
          `can't evaluate field ${name} in type ${index === 0 && operand.type === 'pipe' ? goTypeName(value) : 'interface {}'}`,
        );
        return;
      }
      const object = value as Record<string, unknown>;
      if (Object.hasOwn(object, name)) value = object[name];
      else if (this.#options.allowMissingKeys) value = undefined;
      else this.#fail(operand.at, operand.text, `map has no entry for key "${name}"`);
    });
    return value;
  }

  /** At what was evaluated last. */
  #failAtLast(pipe: Pipe, message: string): never {
    const last = pipe.commands.at(-1)?.at(-1);
    return last === undefined
      ? this.#fail(pipe.at, pipe.text, message)
      : this.#fail(last.at, textOf(last), message);
  }

  #fail(at: number, text: string, message: string): never {
    const { name, source } = this.#template;
    // The column is that of the second part of a name, in bytes from 0.
    const lineStart = source.lastIndexOf('\n', at - 1) + 1;
    const [firstPart = ''] = /^[.$][\p{L}\p{N}_]*(?=\.)/u.exec(text) ?? [];
    const column = at - lineStart + firstPart.length;
    throw new TemplateError(
      `template: ${name}:${lineOf(source, at)}:${column}: executing ${goQuote(this.#executing)} at <${text}>: ${message}`,
    );
  }
}

interface Piped {
  readonly value: unknown;
  readonly integers: IntegerType;
}

/** Numbers in the template and results of functions are ints, those of the data are not. */
const integersOf = ({ type }: Operand): IntegerType =>
  type === 'value' || type === 'function' || type === 'pipe' ? 'int' : 'int64';

const textOf = (operand: Operand): string =>
  'text' in operand ? operand.text : operand.type === 'dot' ? '.' : operand.type;
