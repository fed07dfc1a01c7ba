/**
 * What decoding, defaults, validation and encoding cost for every kind, beside `JSON.parse` of the same text:
 * `node scripts/node26.mjs bench/kinds.ts [part of a kind's name]`. The objects are the fixtures of Kubernetes, in
 * which every field is set, and a pod of 4 KB as clusters have it. Absolute figures depend on the machine.
 */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import { defaultObject } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import { decode, encode, type Kind } from '@coxswain/schema';
import { busyPod } from './busy-pod.ts';

interface Costs {
  readonly name: string;
  readonly bytes: number;
  /** Microseconds for each. */
  readonly parse: number;
  readonly decode: number;
  readonly defaults: number;
  readonly validate: number;
  readonly encode: number;
}

const wanted = process.argv[2] ?? '';
const nowMs = Date.UTC(2026, 0, 2);
const context = { nowMs, allowPrivileged: true, minCompatibility: 35, enabled: () => true };

console.log(`Node ${process.version}; microseconds of one call, the best of several rounds`);
console.log(
  '                                            bytes   parse  decode default validate  encode   all/parse',
);
const all = objects()
  .filter(({ kind }) => `${kind.apiVersion}/${kind.kind}`.includes(wanted))
  .map(({ kind, name, json }) => costsOf(kind, name, json));
for (const costs of all) console.log(lineOf(costs));
console.log(
  `median of all/parse: ${median(all.map(ratioOf)).toFixed(1)}, largest: ${Math.max(...all.map(ratioOf)).toFixed(1)}`,
);

function objects(): { kind: Kind; name: string; json: string }[] {
  const file = new URL('../packages/api/test/reference/roundtrip-1.36.json.gz', import.meta.url);
  const fixtures = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Record<string, { json: string }>;
  const byName = new Map(Object.values(fixtures).map(({ json }) => [nameOf(json), json]));
  const kinds = groupVersionDirectories.flatMap(kindsOf);
  const pod = kinds.find(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Pod')!;
  return [
    { kind: pod, name: 'v1/Pod of 4 KB', json: JSON.stringify(busyPod) },
    ...kinds.flatMap((kind) => {
      const name = `${kind.apiVersion}/${kind.kind}`;
      const json = byName.get(name);
      return json === undefined ? [] : [{ kind, name, json }];
    }),
  ];
}

function nameOf(json: string): string {
  const { apiVersion, kind } = JSON.parse(json) as { apiVersion: string; kind: string };
  return `${apiVersion}/${kind}`;
}

function costsOf(kind: Kind, name: string, json: string): Costs {
  const text = JSON.stringify(JSON.parse(json));
  const bytes = new TextEncoder().encode(text);
  const object = decode(kind.type, text).object as never;
  defaultObject(kind, object, nowMs);
  const { validate } = kind.behaviour;
  return {
    name,
    bytes: bytes.length,
    parse: microsecondsOf(() => JSON.parse(text)),
    decode: microsecondsOf(() => decode(kind.type, bytes)),
    defaults: microsecondsOf(() => defaultObject(kind, object, nowMs)),
    validate: validate === undefined ? 0 : microsecondsOf(() => validate(object, undefined, context)),
    encode: microsecondsOf(() => encode(kind.type, object)),
  };
}

/** The duration of one call in the best round, since other work on the machine only ever adds to it. */
function microsecondsOf(run: () => unknown): number {
  const [rounds, roundMs] = [5, 4];
  let calls = 1;
  let elapsedMs = 0;
  for (; elapsedMs < roundMs; calls *= 2) elapsedMs = elapsedMsOf(run, calls);
  let bestMs = Infinity;
  for (let round = 0; round < rounds; round++) bestMs = Math.min(bestMs, elapsedMsOf(run, calls));
  return (bestMs / calls) * 1000;
}

function elapsedMsOf(run: () => unknown, calls: number): number {
  const start = performance.now();
  for (let call = 0; call < calls; call++) run();
  return performance.now() - start;
}

function allOf({ decode: read, defaults, validate, encode: write }: Costs): number {
  return read + defaults + validate + write;
}

function ratioOf(costs: Costs): number {
  return allOf(costs) / costs.parse;
}

function lineOf(costs: Costs): string {
  const figures = [costs.parse, costs.decode, costs.defaults, costs.validate, costs.encode];
  return `${costs.name.padEnd(40)} ${String(costs.bytes).padStart(8)} ${figures
    .map((figure) => figure.toFixed(1).padStart(7))
    .join(' ')} ${ratioOf(costs).toFixed(1).padStart(9)}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
