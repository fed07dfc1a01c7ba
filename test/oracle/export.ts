/**
 * `node test/oracle/export.ts DIR`: takes the cases and recordings of the kubectl and the cluster oracle from the directory
 * that has `kubectl/` and `cluster/`, and writes an area with its answers into each `*.json.gz` here.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('which directory has the oracles?');

interface CaseModule {
  readonly area: string;
  readonly server?: object;
  readonly default: readonly { readonly name: string }[];
}

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** What each oracle keeps beside a case. */
const answersOf: Readonly<Record<string, (directory: string, area: string) => (name: string) => object>> = {
  kubectl(directory, area) {
    const { cases } = json(path.join(directory, 'recorded', `${area}.json`)) as { cases: Record<string, unknown> };
    return (name) => ({ answers: cases[name] });
  },
  cluster: (directory, area) => (name) => {
    const { steps, unstable } = json(path.join(directory, 'recorded', area, `${name}.json`)) as Record<string, unknown>;
    return { answers: steps, unstable };
  },
};

for (const [set, recordings] of Object.entries(answersOf)) {
  const directory = path.join(from, set);
  mkdirSync(path.join(import.meta.dirname, set), { recursive: true });
  for (const file of readdirSync(path.join(directory, 'cases'))) {
    const module = (await import(pathToFileURL(path.join(directory, 'cases', file)).href)) as CaseModule;
    const answers = recordings(directory, module.area);
    const cases = module.default.map((one) => ({ ...one, ...answers(one.name) }));
    const text = JSON.stringify({ area: module.area, server: module.server ?? {}, cases });
    writeFileSync(path.join(import.meta.dirname, set, `${module.area}.json.gz`), gzipSync(text, { level: 9 }));
  }
}
