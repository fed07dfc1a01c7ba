/** Executes a Go template on plain JSON. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { argumentCounts, functions, goText, goTypeName, isTrue, type TemplateFunction } from './functions.ts';
import { lineOf, TemplateError } from './lex.ts';
import { parseTemplate, type Node, type Operand, type Pipe, type Template } from './parse.ts';

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
  readonly #template: Template;
  readonly #options: TemplateOptions;

  constructor(template: Template, options: TemplateOptions) {
    this.#template = template;
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
    const entries = this.#entries(value, node.pipe);
    if (entries.length === 0) return this.nodes(node.otherwise, dot, [...variables]);
    const names = node.pipe.variables;
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

  #entries(value: unknown, pipe: Pipe): (readonly [unknown, unknown])[] {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return value.map((item: unknown, index) => [BigInt(index), item] as const);
    if (typeof value === 'bigint')
      return Array.from({ length: Number(value) }, (_item, index) => [BigInt(index), BigInt(index)] as const);
    if (typeof value === 'object') {
      const object = value as Record<string, unknown>;
      return Object.keys(object)
        .sort()
        .map((key) => [key, object[key]] as const);
    }
    return this.#fail(pipe.at, pipe.text, `range can't iterate over ${goText(value)}`);
  }

  #call(node: Extract<Node, { type: 'template' }>, dot: unknown, variables: Variables): void {
    const body = this.#template.defined.get(node.name);
    if (body === undefined) {
      throw new TemplateError(
        `template: ${this.#template.name}:${lineOf(this.#template.source, node.at)}: template "${node.name}" not defined`,
      );
    }
    if (++this.#depth > callDepthMax)
      throw new TemplateError(`exceeded maximum template depth (${callDepthMax})`);
    const data = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot, variables);
    this.nodes(body, data, [['$', data]]);
    this.#depth--;
  }

  #pipe(pipe: Pipe, dot: unknown, variables: Variables): unknown {
    let value: unknown;
    pipe.commands.forEach((operands, index) => {
      value = this.#command(operands, dot, variables, index > 0 ? [value] : [], pipe.texts[index]);
    });
    for (const name of pipe.variables) {
      if (!pipe.assigns) variables.push([name, value]);
      else {
        const known = variables.findLast(([one]) => one === name);
        if (known !== undefined) known[1] = value;
      }
    }
    return value;
  }

  #command(
    operands: readonly Operand[],
    dot: unknown,
    variables: Variables,
    piped: readonly unknown[],
    text?: string,
  ): unknown {
    const [first, ...rest] = operands as [Operand, ...Operand[]];
    if (first.type !== 'function' || first.names.length > 0) {
      if (rest.length + piped.length > 0) {
        return this.#fail(first.at, textOf(first), `can't give argument to non-function ${textOf(first)}`);
      }
      if (first.type === 'nil') return this.#fail(first.at, 'nil', 'nil is not a command');
      return this.#operand(first, dot, variables);
    }
    const args = [...rest.map((operand) => this.#operand(operand, dot, variables)), ...piped];
    this.#countArguments(first, args.length);
    try {
      return (this.#options.functions?.[first.name] ?? functions[first.name])?.(args);
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
          this.#command([{ ...operand, names: [], text: operand.name }], dot, variables, []),
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

  #fail(at: number, text: string, message: string): never {
    const { name, source } = this.#template;
    // The column is that of the second part of a name, in bytes from 0.
    const lineStart = source.lastIndexOf('\n', at - 1) + 1;
    const [firstPart = ''] = /^[.$][\p{L}\p{N}_]*(?=\.)/u.exec(text) ?? [];
    const column = at - lineStart + firstPart.length;
    throw new TemplateError(
      `template: ${name}:${lineOf(source, at)}:${column}: executing "${name}" at <${text}>: ${message}`,
    );
  }
}

const textOf = (operand: Operand): string =>
  'text' in operand ? operand.text : operand.type === 'value' ? JSON.stringify(operand.value) : operand.type;
