/** The contents of a directory: resources, field specifications, variables. */
import {
  mergeTransformerConfigs,
  emptyTransformerConfig,
  type TransformerConfig,
} from './configuration/transformer-config.ts';
import type { Variable } from './configuration/kustomization.ts';
import { ResourceMap } from './resources/resource-map.ts';
import { markVariableSources, replaceVariables, variableValues } from './transformers/variables.ts';
import { followNameReferences } from './transformers/name-references.ts';

export class Accumulator {
  readonly map = new ResourceMap();
  #config: TransformerConfig = emptyTransformerConfig;
  readonly #variables = new Map<string, Variable>();

  get config(): TransformerConfig {
    return this.#config;
  }

  mergeConfig(more: TransformerConfig): void {
    this.#config = mergeTransformerConfigs(this.#config, more);
  }

  /** Merges another accumulator into this one. @throws Error if something exists in both */
  merge(other: Accumulator): void {
    this.map.appendAll(other.map);
    this.mergeConfig(other.#config);
    for (const variable of other.#variables.values()) this.#addVariable(variable);
  }

  addVariables(variables: readonly Variable[]): void {
    markVariableSources(this.map, variables);
    for (const variable of variables) this.#addVariable(variable);
  }

  #addVariable(variable: Variable): void {
    const name = variable.name ?? '';
    if (this.#variables.has(name)) throw new Error(`var '${name}' already encountered`);
    this.#variables.set(name, variable);
  }

  followNameReferences(): void {
    followNameReferences(this.#config.nameReference ?? [])(this.map);
  }

  /** The names of variables that are used nowhere. */
  resolveVariables(): readonly string[] {
    const values = variableValues(this.map, this.#variables);
    return values.size === 0 ? [] : replaceVariables(this.map, values, this.#config.varReference ?? []);
  }
}
