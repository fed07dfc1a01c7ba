/** The READMEs name lines of sources, which move: those that they show are where the step is. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startCluster } from '../../packages/coxswain/src/cluster/cluster.ts';
import { nodePlaces } from '../../packages/coxswain/src/trace/node-places.ts';
import { routeFacts } from '../../packages/coxswain/src/trace/route-facts.ts';

const root = path.join(import.meta.dirname, '../..');
const pages = ['README.md', 'README.zh.md'];
const sources = execFileSync('git', ['ls-files', 'packages/**/*.ts'], { cwd: root, encoding: 'utf8' }).split(
  '\n',
);
/** A step is where it is called; its name may follow on one of the next lines. */
const linesOfStep = 4;

/** Lines of a page's session that end with a place: what comes before, and the place. */
const placesIn = (page: string, isWanted: (before: string) => boolean) =>
  Array.from(
    readFileSync(path.join(root, page), 'utf8').matchAll(/^(\S.*|[ +].*?) +(?:…\/)?(\S+\.ts:\d+)$/gm),
    ([, before, place]) => ({ before: before!.trim(), place: place! }),
  ).filter(({ before }) => isWanted(before));

const isStep = (before: string): boolean => before.startsWith('+');

test('the session shows places of routes as the command prints them', async () => {
  const cluster = await startCluster({ nodes: 0, controllers: [], scheduler: false });
  const put = '/apis/apps/v1/namespaces/default/deployments/web/status';
  const facts = await routeFacts(cluster.apiServer, nodePlaces(), 'PUT', put).finally(() => cluster.stop());
  const printed = JSON.stringify(facts);
  for (const page of pages) {
    const shown = placesIn(page, (before) => !isStep(before));
    expect(shown.length).toBeGreaterThan(3);
    expect(
      shown.filter(({ place }) => !printed.includes(`${place}"`)),
      page,
    ).toEqual([]);
  }
});

test.each(pages)('%s shows steps of a trace where they are', (page) => {
  const shown = placesIn(page, isStep);
  expect(shown.length).toBeGreaterThan(1);
  for (const { before, place } of shown) {
    const [end = '', line = ''] = place.split(':');
    const [file = ''] = sources.filter((source) => source.replace('/src/', '/').endsWith(end));
    const text = readFileSync(path.join(root, file), 'utf8').split('\n');
    const step = before.split(/\s+/).at(-1)!;
    expect(text.slice(Number(line) - 1, Number(line) - 1 + linesOfStep).join('\n'), place).toContain(step);
  }
});
