/** Replays recorded cases on an in-process server and reports different responses. */
import { systemClock } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import { tokenFile } from '@coxswain/apiserver/authentication/token-file.ts';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { MemoryStorage } from '@coxswain/storage';
import { generateKeyPairSync } from 'node:crypto';
import { gzipCompression } from '@coxswain/apiserver/http/gzip.ts';
import { CertificateAuthority } from '../../../../test/attack/certificate-authority.ts';
import { assembleKubeApiServer, type AssembledApiServer, type AssemblyOptions } from '../../src/assemble.ts';
import { parseRuntimeConfig } from '../../src/runtime-config.ts';
import { signerFromPem, verifiersFromPem } from '../../src/service-accounts/pem-keys.ts';
import { fixedKeys } from '../../src/service-accounts/token-keys.ts';
import { extendedExpirationSeconds, tokenIssuer } from '../../src/service-accounts/token-issuer.ts';
import { uncachedResources } from '../../src/uncached-resources.ts';
import { whyLeftOut, type Area, type Case } from './case.ts';
import { describeDifference, differencesOf, type Difference } from './differences.ts';
import { playCase, testUsers } from './play.ts';

export interface FailedStep {
  readonly step: string;
  readonly request: string;
  readonly differences: readonly Difference[];
}

export interface CaseResult {
  readonly area: string;
  readonly name: string;
  readonly failures: readonly FailedStep[];
  readonly problem?: string;
  /** The reason that it was not played: a requirement that is not available here. */
  readonly leftOut?: string;
}

export const hasPassed = ({ failures, problem, leftOut }: CaseResult): boolean =>
  failures.length === 0 && problem === undefined && leftOut === undefined;

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** By reason, `area/case`. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

export function tallyOf(results: readonly CaseResult[]): Tally {
  const leftOut = Map.groupBy(
    results.filter((result) => result.leftOut !== undefined),
    (result) => result.leftOut!,
  );
  const passed = results.filter(hasPassed).length;
  const played = results.filter((result) => result.leftOut === undefined).length;
  const names = (of: readonly CaseResult[]) => of.map(({ area, name }) => `${area}/${name}`);
  return {
    passed,
    failed: played - passed,
    leftOut: new Map([...leftOut].map(([reason, of]) => [reason, names(of)])),
  };
}

/** The failures, a line about the area, and the omitted cases. */
export function describeArea(area: string, results: readonly CaseResult[]): string {
  const { passed, failed, leftOut } = tallyOf(results);
  return [
    ...results.filter((result) => result.leftOut === undefined && !hasPassed(result)).map(describeResult),
    `${area} ${passed}/${passed + failed}`,
    ...[...leftOut].map(([reason, names]) => `  left out for ${reason}: ${names.join(', ')}`),
  ].join('\n');
}

/** A server as the recordings require it: tokens of three users, RBAC, no ServiceAccount plugin. */
export async function recordedServer(more: Partial<AssemblyOptions> = {}): Promise<AssembledApiServer> {
  const issuer = 'https://kubernetes.default.svc';
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock: systemClock }),
    log: process.env.ORACLE_LOG === undefined ? () => undefined : (line) => console.error(line),
    authorizationModes: ['RBAC'],
    authentication: { tokenFile: tokenFile(tokenCsv(), { path: 'tokens.csv' }) },
    serviceAccounts: {
      issuers: [issuer],
      keys: fixedKeys(verifiersFromPem(pem)),
      tokenIssuer: tokenIssuer({
        issuer,
        signer: signerFromPem(pem),
        expirationSecondsMax: 0,
        extendsExpiration: true,
        extendedSeconds: extendedExpirationSeconds,
      }),
    },
    disableAdmissionPlugins: ['ServiceAccount'],
    serviceClusterIpRanges: ['10.0.0.0/24'],
    allowPrivileged: true,
    advertiseAddress: documentationAddress,
    publishedAuthentication: { 'client-ca-file': (await CertificateAuthority.create('recorded')).pem },
    gzip: gzipCompression(),
    ...more,
  });
  await server.start();
  return server;
}

/** From RFC 5737. */
export const documentationAddress = '192.0.2.1';

export const tokenCsv = (): string =>
  Object.entries(testUsers)
    .map(([name, { token, uid, groups }]) => `${token},${name},${uid},"${groups.join(',')}"\n`)
    .join('');

const casesAtOnce = 4;

export interface ReplayedServer {
  readonly transport: Transport;
  stop(): Promise<void>;
}

async function serverInProcess(flags: Area['server']): Promise<ReplayedServer> {
  const server = await recordedServer(optionsFrom(flags));
  return {
    transport: server.inProcess(undefined, { structured: false }),
    stop: () => server.stop(),
  };
}

/** Areas that require other flags get a server of their own. */
export async function replayAreas(
  areas: readonly Area[],
  open: (flags: Area['server']) => Promise<ReplayedServer> = serverInProcess,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const alike of Map.groupBy(areas, ({ server }) => JSON.stringify(server)).values()) {
    results.push(...(await replayOn(await open(alike[0]!.server), alike)));
  }
  return results;
}

/** Upstream's flags of the recordings, as this server's options. */
function optionsFrom(flags: Area['server']): Partial<AssemblyOptions> {
  const text = (flag: string): string | undefined => flags[flag] as string | undefined;
  const [ranges, runtimeConfig] = [text('service-cluster-ip-range'), text('runtime-config')];
  const [version, gates] = [text('emulated-version'), text('feature-gates')];
  const [compaction, cacheSizes] = [text('etcd-compaction-interval'), text('watch-cache-sizes')];
  return {
    ...(ranges && { serviceClusterIpRanges: ranges.split(',') }),
    ...(runtimeConfig && { runtimeConfig: parseRuntimeConfig(runtimeConfig) }),
    ...(version && { version: versionNamed(version) }),
    ...(gates && { featureGates: [gates] }),
    ...(compaction && {
      storage: new MemoryStorage({ clock: systemClock, historyMsMax: Number.parseFloat(compaction) * 1000 }),
    }),
    ...(cacheSizes && { isUncached: uncachedResources(true, [cacheSizes]) }),
  };
}

async function replayOn({ transport, stop }: ReplayedServer, areas: readonly Area[]): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const queue: { readonly area: string; readonly testCase: Case }[] = [];
  for (const { area, cases } of areas) {
    for (const testCase of cases) {
      const leftOut = whyLeftOut(testCase);
      if (leftOut === undefined) queue.push({ area, testCase });
      else results.push({ area, name: testCase.name, failures: [], leftOut });
    }
  }
  const play = async ({ area, testCase }: { area: string; testCase: Case }) => {
    const played = await playCase(testCase, transport);
    results.push(judge(area, testCase, played));
  };
  for (const one of queue.filter(({ testCase }) => testCase.serial)) await play(one);
  const rest = queue.filter(({ testCase }) => !testCase.serial);
  const workers = Array.from({ length: casesAtOnce }, async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await play(next);
  });
  await Promise.all(workers);
  await stop();
  return results;
}

function judge(
  area: string,
  testCase: Case,
  { answers, problem }: Awaited<ReturnType<typeof playCase>>,
): CaseResult {
  const byName = new Map(answers.map(({ name, ...view }) => [name, view]));
  const failures = testCase.answers.flatMap(({ name, req, ...expected }) => {
    const got = byName.get(name);
    if (got === undefined && problem !== undefined) return [];
    const differences = differencesOf(expected, got);
    return differences.length === 0 ? [] : [{ step: name, request: req, differences }];
  });
  return { area, name: testCase.name, failures, ...(problem === undefined ? {} : { problem }) };
}

const differencesShownMax = 6;

export function describeResult({ area, name, failures, problem }: CaseResult): string {
  const steps = failures.flatMap(({ step, request, differences }) => [
    `  ${step}: ${request}`,
    ...differences.slice(0, differencesShownMax).map((difference) => `    ${describeDifference(difference)}`),
    ...(differences.length > differencesShownMax
      ? [`    … ${differences.length - differencesShownMax} more`]
      : []),
  ]);
  return [`FAIL ${area}/${name}`, ...steps, ...(problem === undefined ? [] : [`  ${problem}`])].join('\n');
}
