/** The table about compatibility: what the recordings and results in this repository hold, counted. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { count, markdownTable, ranAt, type Language } from './table.ts';
import { playableInProcess, type Area } from '../../../packages/kube-apiserver/test/oracle/case.ts';
import { knownDifferences } from '../../../packages/kube-apiserver/test/oracle/known-differences.ts';
import { knownDifferences as knownDifferencesEmulated } from '../../../packages/kube-apiserver/test/versions/known-differences.ts';

const root = path.join(import.meta.dirname, '../../..');

interface Row {
  readonly suite: Readonly<Record<Language, string>>;
  readonly result: Readonly<Record<Language, string>>;
  readonly when: Readonly<Record<Language, string>>;
}

const head: Readonly<Record<Language, readonly string[]>> = {
  en: ['suite', 'result', 'played'],
  zh: ['套件', '结果', '何时运行'],
};

let rows: readonly Row[] | undefined;

export function compatibilityTable(language: Language): string {
  rows ??= [replayed(), ...emulated(), variations(), ...clientGo(), ...conformance()];
  const cells = rows.map(({ suite, result, when }) => [suite[language], result[language], when[language]]);
  return markdownTable([head[language], ...cells]);
}

const everyRun = { en: 'by `npm test`, in each run of CI', zh: '由 `npm test`，每次 CI' };

function replayed(): Row {
  return {
    suite: {
      en: 'HTTP answers, recorded from the original 1.36.3',
      zh: 'HTTP 回答，录自原版 1.36.3',
    },
    result: played('packages/kube-apiserver/test/oracle/*.json.gz', knownDifferences),
    when: everyRun,
  };
}

/** Recorded with the same flag of the same program. */
function emulated(): readonly Row[] {
  const files = globSync('packages/kube-apiserver/test/versions/oracle-*.json.gz', { cwd: root }).toSorted();
  return files.map((file) => {
    const [version = ''] = /\d+\.\d+/.exec(path.basename(file)) ?? [];
    return {
      suite: {
        en: `… as ${version} (\`--emulated-version\`), where these differ`,
        zh: `…… 模拟 ${version}（\`--emulated-version\`），仅有差异者`,
      },
      result: played(file, knownDifferencesEmulated),
      when: everyRun,
    };
  });
}

/** Each of them has to agree: the test knows no exceptions. */
function variations(): Row {
  const recorded = globSync('test/differential/cases/recorded/*.json.gz', { cwd: root }).flatMap((file) =>
    Object.values(unpacked(file) as Record<string, readonly unknown[]>),
  );
  const requests = recorded.reduce((sum, answers) => sum + answers.length, 0);
  return {
    suite: {
      en: `generated variations of requests, ${count(requests)} in all, recorded from the original 1.36.3`,
      zh: `生成的请求变体，共 ${count(requests)} 个请求，录自原版 1.36.3`,
    },
    result: outOf(recorded.length, recorded.length),
    when: everyRun,
  };
}

interface ClientGo {
  readonly date: string;
  readonly commit: string;
  readonly results: readonly {
    readonly version: string;
    readonly kubernetes: string;
    readonly counts: { readonly passed: number; readonly failed: number };
  }[];
}

function clientGo(): readonly Row[] {
  const { date, commit, results } = JSON.parse(
    readFileSync(path.join(root, 'test/interop/client-go/results.json'), 'utf8'),
  ) as ClientGo;
  return results.map(({ version, kubernetes, counts }) => ({
    suite: {
      en: `a program with client-go ${version}, \`coxswain up --kubernetes-version=${kubernetes}\``,
      zh: `使用 client-go ${version} 的程序，\`coxswain up --kubernetes-version=${kubernetes}\``,
    },
    result: outOf(counts.passed, counts.passed + counts.failed),
    when: ranAt(date, commit),
  }));
}

interface Conformance {
  readonly date: string;
  readonly commit: string;
  readonly containerd: string;
  readonly nodes: number;
  readonly focus: string;
  readonly skip: string;
  /** How many tests the labels select, if the run ended before all of them had run. */
  readonly selected?: number;
  readonly counts: { readonly passed: number; readonly failed: number };
}

function conformance(): readonly Row[] {
  const files = globSync('test/interop/conformance/results*.json', { cwd: root }).toSorted();
  const runs = files.map((file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Conformance);
  const isBeyond = ({ selected }: Conformance) => Number(selected !== undefined);
  const inOrder = runs.toSorted((one, other) => isBeyond(one) - isBeyond(other));
  return inOrder.map(({ date, commit, containerd, nodes, focus, skip, selected, counts }) => {
    const machines = {
      en: `on ${nodes} real nodes with containerd ${containerd}`,
      zh: `${nodes} 个真实节点，containerd ${containerd}`,
    };
    const parts = focus
      .replaceAll('\\', '')
      .replaceAll('.*', ' ')
      .replaceAll(/\[\((.*?)\)\]/g, (_, names: string) => `[${names.replaceAll('|', ']/[')}]`);
    const leaves = skip.includes('Slow');
    const suite = {
      en: `upstream's conformance suite, \`${parts}\`${leaves ? ' without slow and serial tests' : ''}, ${machines.en}`,
      zh: `上游的一致性测试套件，\`${parts}\`${leaves ? '，不含慢速和串行测试' : ''}，${machines.zh}`,
    };
    const beyond = {
      en: `… beyond conformance, neither cloud nor alpha: those that ran of ${selected}, ${machines.en}`,
      zh: `… 一致性之外，不需要云、不属于 alpha：${selected} 个中运行过的，${machines.zh}`,
    };
    return {
      suite: selected === undefined ? suite : beyond,
      result: outOf(counts.passed, counts.passed + counts.failed),
      when: ranAt(date, commit),
    };
  });
}

/** How many cases of the recordings, each of an area or of several, `npm test` plays, and how many of them agree. */
function played(pattern: string, known: Readonly<Record<string, string>>): Row['result'] {
  const names = globSync(pattern, { cwd: root })
    .flatMap((file) => unpacked(file) as Area | readonly Area[])
    .flatMap(({ area, cases }) => cases.filter(playableInProcess).map(({ name }) => `${area}/${name}`));
  const passed = names.filter((name) => known[name] === undefined).length;
  return outOf(passed, names.length);
}

const outOf = (passed: number, all: number): Row['result'] => ({
  en: `${count(passed)} of ${count(all)}`,
  zh: `${count(all)} 个中通过 ${count(passed)} 个`,
});

const unpacked = (file: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(path.join(root, file))).toString());
