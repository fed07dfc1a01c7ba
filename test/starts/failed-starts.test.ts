/** Starts that cannot succeed, of every program: each ends by itself, with one line, and leaves nothing behind. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '@coxswain/apimachinery';
import { clusterCertificates } from 'coxswain/certificates/certificates.ts';
import { runProgram } from './run-program.ts';

let directory: string;
let occupied: Server;
let occupiedPort: number;
let data: string;
let starts = 0;

beforeAll(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-starts-'));
  occupied = createServer();
  await new Promise<void>((resolve) => void occupied.listen(0, '127.0.0.1', resolve));
  occupiedPort = (occupied.address() as AddressInfo).port;
  await clusterCertificates(at('good'), { clock: systemClock, serviceAddress: '10.96.0.1' });
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
});
afterAll(() => {
  occupied.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  data = at(`data-${starts++}`);
});

const at = (name: string): string => path.join(directory, name);

const files = {
  'not.yaml': '{{{',
  'not.pem': 'x\n',
  'stage.yaml': 'apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata: {name: a}\nspec: 3\n',
  'kindless.yaml': 'kind: Foo\n',
  kubeconfig: JSON.stringify({
    clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }],
    contexts: [{ name: 'a', context: { cluster: 'a' } }],
    'current-context': 'a',
  }),
};

/** The line that is told, and what comes before it is made. */
interface Failure {
  readonly args: () => readonly string[];
  readonly line: RegExp;
  readonly before?: () => void;
}

const failure = (args: () => readonly string[], line: RegExp, before?: () => void): Failure => ({
  args,
  line,
  ...(before && { before }),
});

/** A data directory that is whole but for one file. */
const withFile = (name: string, text: string) => (): void => {
  cpSync(at('good'), path.join(data, 'pki'), { recursive: true });
  mkdirSync(path.dirname(path.join(data, name)), { recursive: true });
  writeFileSync(path.join(data, name), text);
};
const onDisk = (...more: readonly string[]) => ['up', '--port=0', `--data-dir=${data}`, ...more];
const inMemory = (...more: readonly string[]) => ['up', '--port=0', '--in-memory', ...more];
const spoiled = (name: string, what: string): Failure =>
  failure(
    onDisk,
    new RegExp(`^coxswain: \\S+/pki/${name} does not contain a valid ${what} in PEM format: restore it`),
    withFile(`pki/${name}`, 'x'),
  );

const all: Readonly<Record<string, Readonly<Record<string, Failure>>>> = {
  up: {
    'a controller that is not known': failure(
      () => onDisk('--controllers=foo'),
      /^coxswain: "foo" is not in the list of known controllers$/,
    ),
    'fewer nodes than none': failure(
      () => inMemory('--nodes=-1'),
      /^coxswain: invalid argument "-1" for "--nodes" flag: must be a whole number from 0 to 10000$/,
    ),
    'a port that is none': failure(
      () => ['up', '--port=abc'],
      /^coxswain: invalid argument "abc" for "--port" flag: must be a whole number from 0 to 65535$/,
    ),
    'a truth value that is none': failure(
      () => inMemory('--node=maybe'),
      /^coxswain: invalid argument "maybe" for "--node" flag: invalid syntax$/,
    ),
    'a duration that is none': failure(
      () => inMemory('--token-ttl=x'),
      /^coxswain: invalid argument "x" for "--token-ttl" flag: invalid duration "x"$/,
    ),
    'a durability that is none': failure(
      () => onDisk('--durability=x'),
      /^coxswain: invalid argument "x" for "--durability" flag: must be one of "sync", "relaxed"$/,
    ),
    'an occupied port': failure(
      () => ['up', '--in-memory', `--port=${occupiedPort}`],
      /^coxswain: 127\.0\.0\.1:\d+ is in use by .*: choose another port with --port, or use --port=0 for a free one$/,
    ),
    'an address that is none': failure(
      () => inMemory('--bind-address=x'),
      /must be an IP address, without a zone, and not /,
    ),
    'an address with a zone': failure(() => inMemory('--bind-address=fe80::1%lo'), /must be an IP address, /),
    'an address of IPv4 in the form of IPv6': failure(
      () => inMemory('--bind-address=::ffff:127.0.0.1'),
      /must be an IP address, /,
    ),
    'a name for the certificate that is none': failure(
      () => inMemory('--tls-san=a b'),
      /^coxswain: invalid argument "a b" for "--tls-san" flag: must be host names or IP addresses$/,
    ),
    'a token that has ended already': failure(
      () => inMemory('--server', '--token-ttl=-5h'),
      /^coxswain: invalid argument "-5h" for "--token-ttl" flag: must not be negative$/,
    ),
    'a flag that needs another one': failure(
      () => inMemory('--etcd-cafile=ca.crt'),
      /^coxswain: --etcd-cafile requires --etcd-servers$/,
    ),
    'programs that are not there': failure(
      () => inMemory(`--images=${at('nowhere.mjs')}`),
      /^coxswain: --images \S+nowhere\.mjs: no such file or directory$/,
    ),
    'an address of another machine': failure(
      () => inMemory('--bind-address=192.0.2.77'),
      /^coxswain: 192\.0\.2\.77 is not an address of this machine$/,
    ),
    'a range that is none': failure(
      () => inMemory('--server', '--cluster-cidr=x'),
      /must be an address range in CIDR notation/,
    ),
    'a token that is none': failure(
      () => inMemory('--server', '--token=x'),
      /bootstrap token "x" was not of the form/,
    ),
    'a configuration of the scheduler that is not there': failure(
      () => inMemory(`--scheduler-config=${at('nowhere')}`),
      /^coxswain: --scheduler-config \S+nowhere: no such file or directory$/,
    ),
    'a configuration of the scheduler that is none': failure(
      () => inMemory(`--scheduler-config=${at('kindless.yaml')}`),
      /^coxswain: --scheduler-config \S+: Object 'apiVersion' is missing/,
    ),
    'stages that are no YAML': failure(
      () => inMemory(`--stages=${at('not.yaml')}`),
      /: yaml: line 1: did not find/,
    ),
    'a stage without a kind': failure(
      () => inMemory(`--stages=${at('stage.yaml')}`),
      /line 1: Stage requires spec.resourceRef.kind$/,
    ),
    'a file for a data directory': failure(
      () => ['up', '--port=0', `--data-dir=${at('not.pem')}`],
      /^coxswain: cannot use \S+ as the data directory: not a directory \(--data-dir selects another\)$/,
    ),
    'a data directory that cannot be made': failure(
      () => ['up', '--port=0', '--data-dir=/proc/x'],
      /^coxswain: cannot use \/proc\/x as the data directory: no such file or directory \(--data-dir selects another\)$/,
    ),
    'the key of the authority': spoiled('ca.key', 'private key'),
    'the certificate of the authority': spoiled('ca.crt', 'certificate'),
    'the certificate of the server': spoiled('apiserver.crt', 'certificate'),
    'the key of the administrator': spoiled('admin.key', 'private key'),
    'the key of service accounts': spoiled('sa.key', 'private key'),
    'the public key of service accounts': spoiled('sa.pub', 'public key'),
    'a database that is none': failure(
      onDisk,
      /^\w+: data directory \S+ /,
      withFile('storage/data.mdb', 'x'.repeat(20_000)),
    ),
    'a directory in the place of the kubeconfig': failure(
      onDisk,
      /^coxswain: cannot write \S+kubeconfig: it is a directory$/,
      () => mkdirSync(path.join(data, 'kubeconfig'), { recursive: true }),
    ),
    'a node without a runtime': failure(
      () => inMemory('--node', `--container-runtime-endpoint=unix://${at('nowhere')}`),
      /^coxswain: --node requires /,
    ),
  },
  'test-server': {
    'a controller that is not known': failure(
      () => ['test-server', '--controllers=foo'],
      /"foo" is not in the list/,
    ),
    'a clock that is none': failure(
      () => ['test-server', '--clock=x'],
      /must be one of "virtual", "system"$/,
    ),
    'a version that cannot be emulated': failure(
      () => ['test-server', '--kubernetes-version=1.12'],
      /for "--kubernetes-version" flag: emulation version 1\.12 is not between/,
    ),
    'a seed that is none': failure(
      () => ['test-server', '--seed=x'],
      /invalid --seed "x": must be a number of at most 10 digits$/,
    ),
    'an occupied port': failure(() => ['test-server', `--port=${occupiedPort}`], /is in use by/),
    'a kubeconfig that cannot be written': failure(
      () => ['test-server', `--kubeconfig=${at('nowhere/kubeconfig')}`],
      /^coxswain: cannot write \S+: no such file or directory$/,
    ),
  },
  dns: {
    'a kubeconfig that is not there': failure(
      () => ['dns', `--kubeconfig=${at('nowhere')}`],
      /no such file or directory$/,
    ),
    'an occupied port': failure(
      () => ['dns', `--kubeconfig=${at('kubeconfig')}`, '--bind-address=127.0.0.1', `--port=${occupiedPort}`],
      /EADDRINUSE/,
    ),
    'a name server that is none': failure(
      () => ['dns', '--upstream=x'],
      /invalid --upstream "x": must be an IP address$/,
    ),
  },
  join: {
    'a server that is none': failure(
      () => ['join', 'abcdef.0123456789abcdef', '--server=x', `--data-dir=${data}`],
      /^coxswain: --server must be https:\/\/ADDRESS:PORT$/,
    ),
    'a token without what makes it safe': failure(
      () => ['join', 'abcdef.0123456789abcdef', '--server=https://127.0.0.1:1', `--data-dir=${data}`],
      /can be unsafe/,
    ),
  },
  etcd: {
    'an occupied port': failure(
      () => etcd(`http://127.0.0.1:${occupiedPort}`),
      /^etcd: cannot listen on 127\.0\.0\.1:\d+: address already in use$/,
    ),
    'a certificate that is none': failure(
      () => [...etcd('https://127.0.0.1:0'), `--cert-file=${at('not.pem')}`, `--key-file=${at('not.pem')}`],
      /^etcd: \S+ and \S+ are not a certificate and its key: /,
    ),
    'a database that is none': failure(
      () => etcd('http://127.0.0.1:0'),
      /^\w+: data directory \S+ /,
      () => {
        mkdirSync(data);
        writeFileSync(path.join(data, 'data.mdb'), 'x'.repeat(20_000));
      },
    ),
  },
  'kube-apiserver': {
    'an occupied port': failure(
      () => apiServer(`--secure-port=${occupiedPort}`),
      /^Error: failed to listen on 127\.0\.0\.1:\d+: address already in use$/,
    ),
    'keys of service accounts that are none': failure(
      () => apiServer(`--service-account-key-file=${at('not.pem')}`),
      /^Error: error reading public key file/,
    ),
    'a certificate that is not there': failure(
      () => apiServer(`--tls-cert-file=${at('nowhere')}`, `--tls-private-key-file=${at('nowhere')}`),
      /^Error: open \S+nowhere: no such file or directory$/,
    ),
    'an admission plugin that is not known': failure(
      () => apiServer('--enable-admission-plugins=Nope'),
      /^Error: enable-admission-plugins plugin "Nope" is unknown$/,
    ),
  },
  ...Object.fromEntries(
    ['kube-controller-manager', 'kube-scheduler'].map((program) => [
      program,
      {
        'an occupied port': failure(
          () =>
            component(
              program,
              '--bind-address=127.0.0.1',
              `--secure-port=${occupiedPort}`,
              `--cert-dir=${data}`,
            ),
          /^Error: failed to listen on 127\.0\.0\.1:\d+: address already in use$/,
        ),
        'a certificate that is none': failure(
          () =>
            component(program, `--tls-cert-file=${at('not.pem')}`, `--tls-private-key-file=${at('not.pem')}`),
          /^Error: \S+ and \S+ are not a certificate and its key: /,
        ),
        'a file for the directory of certificates': failure(
          () => component(program, `--cert-dir=${at('not.pem')}`),
          /^Error: error creating self-signed certificates: /,
        ),
      },
    ]),
  ),
  ...Object.fromEntries(
    ['kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'].map((program) => [
      `${program} as a client`,
      {
        'a kubeconfig that is no YAML': failure(
          () => [program, `--kubeconfig=${at('not.yaml')}`],
          /^Error: error loading config file "\S+": yaml: line 1: /,
        ),
        'a feature that is not known': failure(
          () => component(program, '--feature-gates=Nope=true'),
          /^Error: .*unrecognized feature gate: Nope$/,
        ),
        'a flag that is not known': failure(() => [program, '--nope'], /^Error: unknown flag: --nope$/),
      },
    ]),
  ),
};

const etcd = (url: string) => [
  'etcd',
  `--data-dir=${data}`,
  `--listen-client-urls=${url}`,
  `--advertise-client-urls=${url}`,
];
const component = (program: string, ...more: readonly string[]) => [
  program,
  `--kubeconfig=${at('kubeconfig')}`,
  ...more,
];
const apiServer = (...more: readonly string[]) => [
  'kube-apiserver',
  '--bind-address=127.0.0.1',
  `--cert-dir=${at('certificates')}`,
  ...more,
];

describe.each(Object.entries(all))('%s', (_program, failures) => {
  test.each(Object.entries(failures))('is ended by %s', async (_what, { args, line, before }) => {
    before?.();
    const { status, out, err } = await runProgram(args(), { home: directory });
    expect(err.trimEnd()).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    expect(status).toBe(1);
    expect(left()).toEqual([]);
  });
});

/** What a start for a cluster in memory would have left. */
const left = (): readonly string[] =>
  readdirSync(os.tmpdir()).filter((name) => /^coxswain-[A-Za-z0-9]{6}$/.test(name) && !before.has(name));
const before: ReadonlySet<string> = new Set(readdirSync(os.tmpdir()));

test.each([
  [['versoin'], 'coxswain', 'version'],
  [['token', 'lst'], 'coxswain token', 'list'],
  [['storage', 'snapshot', 'sav'], 'coxswain storage snapshot', 'save'],
])(
  'a mistake in the name of a command is answered with the one that is meant: %j',
  async (args, parent, meant) => {
    const { status, err } = await runProgram(args, { home: directory });
    expect(err).toBe(
      `coxswain: unknown command "${args.at(-1)}" for "${parent}"\n\nDid you mean this?\n\t${meant}\n\n`,
    );
    expect(status).toBe(1);
  },
);
