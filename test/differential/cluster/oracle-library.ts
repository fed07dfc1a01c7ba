/** The parts of the cluster oracle that this judge shares: its client, its kubelet, its way to make things comparable. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json, NodeSpec, Scenario } from './scenario.ts';

export interface Answer {
  readonly status: number;
  // The shape of an answer is what the scenario asks about: paths look into it.
  readonly body: OpenObject;
}

/** An object of whatever kind; only what all kinds share is named. */
export interface OpenObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase?: string };
  readonly items?: readonly OpenObject[];
}

export interface OracleClient {
  as(token: string): OracleClient;
  request(
    method: string,
    path: string,
    options?: { body?: Json; type?: string; headers?: Record<string, string | readonly string[]> },
  ): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: Json): Promise<Answer>;
  delete(path: string, body?: Json): Promise<Answer>;
}

export interface SimulatedKubelet {
  readonly names: Map<string, string>;
  beatMs: number;
  start(): void;
  stop(): void;
  addNode(node: NodeSpec): Promise<void>;
  removeNode(name: string): Promise<void>;
  changeNode(change: Json): Promise<void>;
  matching(namespace: string, selector?: string): OpenObject[];
  finalise(pod: OpenObject): Promise<void>;
  set(pod: OpenObject, what: string): Promise<Answer>;
  path(pod: OpenObject): string;
}

export interface OracleNormaliser {
  readonly ctx: { readonly nodeNames: boolean };
  learn(object: unknown): void;
  text(text: string): string;
  value(value: unknown, key?: string): Json;
  object(object: unknown): Json;
}

export interface Difference {
  readonly path: string;
  readonly want?: Json;
  readonly got?: Json;
}

export interface OracleLibrary {
  Client: new (options: { url: string; token: string }) => OracleClient;
  Kubelet: new (client: OracleClient) => SimulatedKubelet;
  Normaliser: new (context: {
    ns: string;
    id: string;
    names: Map<string, string>;
    nodeNames: boolean;
  }) => OracleNormaliser;
  diff(expected: unknown, got: unknown): Difference[];
  get(object: unknown, path: string): unknown;
  holds(object: unknown, condition: string): boolean;
  tokens: Readonly<Record<string, string>>;
}

/** Loads the library from the oracle's directory (the one that has `lib` and `cases`). */
export async function loadOracleLibrary(directory: string): Promise<OracleLibrary> {
  const load = async (file: string) =>
    (await import(pathToFileURL(path.join(directory, 'lib', file)).href)) as Record<string, unknown>;
  const parts = await Promise.all(
    ['http.mjs', 'kubelet.mjs', 'normalise.mjs', 'expr.mjs', 'stack.mjs'].map(load),
  );
  const all = Object.assign({}, ...parts) as Record<string, unknown>;
  return { ...all, tokens: all['TOKENS'] } as unknown as OracleLibrary;
}

/** The scenarios of one area of the oracle. */
export async function openScenarios(directory: string, area: string): Promise<readonly Scenario[]> {
  const file = path.join(directory, 'cases', `${area}.mjs`);
  if (!existsSync(file)) return [];
  const module = (await import(pathToFileURL(file).href)) as { default: readonly Scenario[] };
  return module.default;
}
