/**
 * `node test/oracle/export.ts DIR`: takes the cases and recordings of the kubectl and the cluster oracle from the folder
 * that has `kubectl/` and `cluster/`, and writes an area with its answers into each `*.json.gz` here.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('which folder has the oracles?');

interface CaseModule {
  readonly area: string;
  readonly server?: object;
  readonly default: readonly { readonly name: string }[];
}

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** What each oracle keeps beside a case. */
const answersOf: Readonly<Record<string, (folder: string, area: string) => (name: string) => object>> = {
  kubectl(folder, area) {
    const { cases } = json(path.join(folder, 'recorded', `${area}.json`)) as { cases: Record<string, unknown> };
    return (name) => ({ answers: cases[name] });
  },
  cluster: (folder, area) => (name) => {
    const { steps, unstable } = json(path.join(folder, 'recorded', area, `${name}.json`)) as Record<string, unknown>;
    return { answers: steps, unstable };
  },
};

for (const [set, recordings] of Object.entries(answersOf)) {
  const folder = path.join(from, set);
  mkdirSync(path.join(import.meta.dirname, set), { recursive: true });
  for (const file of readdirSync(path.join(folder, 'cases'))) {
    const module = (await import(pathToFileURL(path.join(folder, 'cases', file)).href)) as CaseModule;
    const answers = recordings(folder, module.area);
    const cases = module.default.map((one) => ({ ...one, ...answers(one.name) }));
    const text = JSON.stringify({ area: module.area, server: module.server ?? {}, cases });
    writeFileSync(path.join(import.meta.dirname, set, `${module.area}.json.gz`), gzipSync(text, { level: 9 }));
  }
}
