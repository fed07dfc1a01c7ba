/** The environment of expressions: variables, types, functions, macros; it compiles texts to programs. */

import { check, type CheckedExpression } from './check/checker.ts';
import { estimateCost } from './check/cost-estimate.ts';
import type { CostEstimate } from './check/cost-range.ts';
import type { Scope, TypeProvider, VariableDeclaration } from './check/scope.ts';
import { wellKnownMessages } from './library/well-known-messages.ts';
import { noSizeHints, type SizeHints } from './check/size-hints.ts';
import { validateLiterals } from './check/validate-literals.ts';
import { planProgram, type Program, type ProgramOptions } from './program/program.ts';
import { formatIssues, type Issue } from './syntax/issue.ts';
import { macroTable, type Macro } from './syntax/macro.ts';
import { parse } from './syntax/parser.ts';
import { newSource } from './syntax/source.ts';
import { mergeFunctions } from './declarations/declaration.ts';
import type { Library } from './declarations/library.ts';
import { objectTypesIn, type DeclaredType } from './types/declared-type.ts';
import { schemaTypeNames } from './types/schema-type-names.ts';
import { dynType, type CelType } from './types/type.ts';

export interface EnvironmentOptions {
  readonly variables?: Readonly<Record<string, CelType | DeclaredType>>;
  /** Object types besides those of the variables. */
  readonly types?: readonly DeclaredType[];
  readonly libraries?: readonly Library[];
  /** Types that only a host knows, looked up after the declared ones. */
  readonly provider?: TypeProvider;
  readonly container?: string;
  readonly optionalSyntax?: boolean;
  readonly escapedIdentifiers?: boolean;
  readonly crossTypeComparison?: boolean;
  /** Whether the elements of a list literal, and the keys and values of a map literal, must have a single type each. */
  readonly homogeneousLiterals?: boolean;
}

/** Either an ast, or issues. */
export interface Compilation {
  readonly ast: Ast | undefined;
  readonly issues: readonly Issue[];
  /** All issues with the lines that they refer to; '' without issues. */
  readonly issuesText: string;
}

export interface Ast extends CheckedExpression {
  readonly text: string;
  readonly outputType: CelType;
  /** The position of each expression in the text, in UTF-16 code units, by its id: its operator or its bracket. */
  readonly offsets: readonly number[];
}

export class Environment {
  readonly #options: EnvironmentOptions;
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #scope: Scope;

  constructor(options: EnvironmentOptions) {
    this.#options = options;
    const libraries = options.libraries ?? [];
    this.#macros = macroTable(libraries.flatMap((library) => library.macros ?? []));
    this.#scope = {
      container: options.container ?? '',
      functions: mergeFunctions(libraries.map((library) => library.functions)),
      provider: providerOf(options),
      typeNames: new Map(libraries.flatMap((library) => Object.entries(library.typeNames ?? {}))),
      variables: [variablesOf(options)],
      crossTypeComparison: options.crossTypeComparison ?? true,
    };
  }

  /** The same environment with additions; a redeclared variable has its new type. */
  extend(more: EnvironmentOptions): Environment {
    return new Environment({
      ...this.#options,
      ...more,
      variables: { ...this.#options.variables, ...more.variables },
      types: [...(this.#options.types ?? []), ...(more.types ?? [])],
      libraries: [...(this.#options.libraries ?? []), ...(more.libraries ?? [])],
    });
  }

  /** The same environment without some of its libraries. */
  without(libraries: readonly Library[]): Environment {
    const kept = (this.#options.libraries ?? []).filter((library) => !libraries.includes(library));
    return new Environment({ ...this.#options, libraries: kept });
  }

  compile(text: string): Compilation {
    const source = newSource(text);
    const { expression, context } = parse(source, {
      macros: this.#macros,
      optionalSyntax: this.#options.optionalSyntax ?? true,
      escapedIdentifiers: this.#options.escapedIdentifiers ?? false,
    });
    if (context.issues.length > 0) return failed(formatIssues(source, context.issues), context.issues);
    const checked = check(expression, context, this.#scope);
    if (context.issues.length === 0) {
      validateLiterals(checked, context, this.#scope, this.#options.homogeneousLiterals ?? true);
    }
    if (context.issues.length > 0) return failed(formatIssues(source, context.issues), context.issues);
    const outputType = checked.types[checked.expression.id] ?? dynType;
    const { offsets } = context;
    return { ast: { ...checked, text, outputType, offsets }, issues: [], issuesText: '' };
  }

  /** The minimum and maximum cost of an evaluation, given the sizes of the variables. */
  estimateCost(ast: Ast, hints: SizeHints = noSizeHints): CostEstimate {
    return estimateCost(ast, hints);
  }

  /** @throws ProgramError when a constant in it can't be evaluated */
  program(ast: Ast, options: ProgramOptions = {}): Program {
    return planProgram(ast, this.#scope, this.#regularExpressions(), options);
  }

  #regularExpressions(): Readonly<Record<string, number>> {
    const tables = (this.#options.libraries ?? []).map((library) => library.regularExpressions ?? {});
    return Object.assign({}, ...tables) as Readonly<Record<string, number>>;
  }
}

const failed = (issuesText: string, issues: readonly Issue[]): Compilation => ({
  ast: undefined,
  issues,
  issuesText,
});

const isDeclared = (type: CelType | DeclaredType): type is DeclaredType => 'elementsMax' in type;

const variablesOf = ({ variables = {} }: EnvironmentOptions): ReadonlyMap<string, VariableDeclaration> =>
  new Map(
    Object.entries(variables).map(([name, type]) => [
      name,
      { name, type: isDeclared(type) ? type.type : type },
    ]),
  );

function providerOf({ types = [], variables = {}, provider }: EnvironmentOptions): TypeProvider {
  const declared = [...types, ...Object.values(variables).filter(isDeclared)];
  const objects = new Map(declared.flatMap((type) => [...objectTypesIn(type)]));
  return {
    findStruct: (name) =>
      objects.get(name)?.type ??
      (declared.length > 0 ? schemaTypeNames.get(name) : undefined) ??
      provider?.findStruct(name) ??
      wellKnownMessages.findStruct(name),
    findField: (structName, field) => {
      const object = objects.get(structName);
      if (!object)
        return provider?.findField(structName, field) ?? wellKnownMessages.findField(structName, field);
      // A reserved word is written unescaped where no identifier is expected.
      return (object.fields?.get(field) ?? object.fields?.get(`__${field}__`))?.type.type;
    },
    findConstant: (name) => provider?.findConstant?.(name) ?? wellKnownMessages.findConstant?.(name),
    construct: (name, fields) =>
      provider?.construct && provider.findStruct(name)
        ? provider.construct(name, fields)
        : wellKnownMessages.construct!(name, fields),
  };
}
