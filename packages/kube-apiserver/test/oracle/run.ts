/**
 * `npm run oracle`: all areas; `npm run oracle -- crud patch/json-*`: only these. Prints every difference, and the
 * counts. Exit status 1 if anything differs. Areas are read from this directory, or from `--from DIR` as the oracle's
 * `export` wrote them. With `--threads`, the server has several threads and is reached over sockets.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { areaNames, loadArea, type Area } from './case.ts';
import { describeArea, replayAreas, tallyOf } from './replay.ts';
import { threadedServer } from './threaded-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    threads: { type: 'boolean', default: false },
  },
});

const wanted = positionals.map(
  (text) => new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
);
const isWanted = (area: string, name: string): boolean =>
  wanted.length === 0 || wanted.some((pattern) => pattern.test(area) || pattern.test(`${area}/${name}`));

const areas = allAreas()
  .map((area) => ({ ...area, cases: area.cases.filter(({ name }) => isWanted(area.area, name)) }))
  .filter(({ cases }) => cases.length > 0);
const results = await replayAreas(areas, values.threads ? threadedServer : undefined);
const byArea = Map.groupBy(results, ({ area }) => area);
if (!values.quiet) for (const { area } of areas) console.log(describeArea(area, byArea.get(area) ?? []));
const { passed, failed } = tallyOf(results);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function allAreas(): Area[] {
  if (values.from === undefined) return areaNames().map(loadArea);
  const directory = values.from;
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .filter(
      (file) => wanted.length === 0 || positionals.some((text) => text.split('/')[0] === file.slice(0, -5)),
    )
    .map((file) => JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as Area);
}
