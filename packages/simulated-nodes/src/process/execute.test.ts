import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { expect, test } from 'vitest';
import { noNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from './container-files.ts';
import { contentSources, noSources } from './pod-sources.ts';
import { containerWorld } from './container-world.ts';
import { execute } from './execute.ts';
import { programsKnownIn } from './known-programs.ts';

const container = {
  name: 'web',
  image: 'nginx',
  env: [
    { name: 'NAME', value: 'world' },
    { name: 'FROM', valueFrom: { configMapKeyRef: { name: 'conf', key: 'greeting' } } },
  ],
  volumeMounts: [{ name: 'conf', mountPath: '/conf' }],
};
const pod = {
  metadata: { name: 'web-0', namespace: 'default' },
  spec: { containers: [container], volumes: [{ name: 'conf', configMap: { name: 'conf' } }] },
} as unknown as Pod;

const encoder = new TextEncoder();
const clock = new ManualClock();
const newWorld = () =>
  containerWorld(pod, pod.spec!.containers![0]!, {
    addresses: ['10.0.0.5'],
    sources: contentSources(
      { ...noSources, configMap: async () => ({ data: { greeting: 'hello\n' } }) as never },
      { hostIps: [], podIps: ['10.0.0.5'], allocatable: {} },
    ),
    shared: { ofPod: () => new ContainerFiles(), ofNode: new ContainerFiles() },
    network: noNetwork,
    random: seededRandom(1),
    nowMs: 0,
    services: [
      service('default', 'kubernetes', 443),
      service('default', 'db', 5432),
      service('other', 'x', 1),
    ],
  });
const service = (namespace: string, name: string, port: number) =>
  ({
    metadata: { namespace, name },
    spec: { clusterIP: '10.96.0.9', ports: [{ port }] },
  }) as unknown as Service;

async function run(argv: readonly string[], { stdin = '', tty = false, world = newWorld() } = {}) {
  let [out, err] = ['', ''];
  const code = await execute(
    await world,
    argv,
    {
      stdin: (async function* () {
        yield encoder.encode(stdin);
      })(),
      stdout: (chunk) => void (out += new TextDecoder().decode(chunk)),
      stderr: (chunk) => void (err += new TextDecoder().decode(chunk)),
      tty,
    },
    clock,
  );
  return { code, out, err };
}

const sh = (script: string) => run(['sh', '-c', script]);

test.each([
  ['echo "hello $NAME"', 'hello world\n'],
  ['echo \'$NAME\' "a  b" c\\ d', '$NAME a  b c d\n'],
  ['echo -n a; echo b', 'ab\n'],
  ['false && echo no || echo yes', 'yes\n'],
  ['X=1; echo ${X}${Y:-2}', '12\n'],
  ['X="a b"; echo $X; Y=5 env | head -n1 | wc -l', 'a b\n1\n'],
  ['echo $(cat /etc/hostname)-$?', 'web-0-0\n'],
  ['echo one > /tmp/f; echo two >> /tmp/f; cat < /tmp/f | tail -1', 'two\n'],
  ['ls /nothing 2>/dev/null; echo $?', '1\n'],
  ['cd /tmp; pwd; mkdir -p a/b; touch a/b/c; ls a/b', '/tmp\nc\n'],
  ['printf "%s is %d\\n" a 1', 'a is 1\n'],
  ['cat /conf/greeting; echo $FROM', 'hello\nhello\n'],
  ['test -d /tmp && [ a = a ] && echo both # why not', 'both\n'],
  ['exit 4; echo never', ''],
  ['if [ $(expr 3 % 2) -ne 0 ]; then echo odd; else echo even; fi', 'odd\n'],
  ['if false; then echo a; elif true; then echo b; fi; echo $?', 'b\n0\n'],
  ['if [[ -r /tmp/x ]]\nthen\n echo there\nelse\n touch /tmp/x\nfi; test -e /tmp/x && echo now', 'now\n'],
  ['for i in a "b c" $(seq 1 2); do echo "<$i>"; done', '<a>\n<b c>\n<1>\n<2>\n'],
  ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); [ $i = 2 ] && continue; echo $i; done', '1\n3\n'],
  ['until false; do echo once; break; done', 'once\n'],
  ['echo a b > /tmp/l; while read x y; do echo $y $x; done < /tmp/l', 'b a\n'],
  ['case web-1 in db*|x) echo db;; web-?) echo web;; esac', 'web\n'],
  ['{ echo a; echo b; } > /tmp/g; (cd /tmp; cat g); pwd', 'a\nb\n/\n'],
  ['! false && echo $(( (2 + 3) * 4 / 3 % 4 )) $((2 < 3))', '2 1\n'],
  ['[ a != b -a ! 1 -gt 2 ] && echo both', 'both\n'],
  ['command -v ls echo; command -v cd; command -v if; command -pv /bin/cat', '/bin/ls\ncd\nif\n/bin/cat\n'],
  ['command -v nosuch || echo $?; command -v /etc/hostname', '127\n/etc/hostname\n'],
  ['command -V ls; command -V nosuch; echo $?', 'ls is /bin/ls\nnosuch: not found\n127\n'],
  [
    'type cd if ls nosuch',
    'cd is a shell builtin\nif is a shell keyword\nls is /bin/ls\nnosuch: not found\n',
  ],
  ['command -p echo a; command -- echo b; command command echo c; command; echo $?', 'a\nb\nc\n0\n'],
  ['command cd /tmp; pwd; command exit 3; echo never', '/tmp\n'],
])('%s', async (script, out) => {
  expect(await sh(script)).toMatchObject({ out, err: '' });
});

test('what goes wrong is told on standard error, with the exit code that a shell has for it', async () => {
  expect(await sh('echo oops >&2; exit 3')).toEqual({ code: 3, out: '', err: 'oops\n' });
  expect(await sh('nosuch')).toEqual({ code: 127, out: '', err: 'sh: nosuch: not found\n' });
  expect(await sh('/etc/passwd')).toMatchObject({ code: 126, err: 'sh: /etc/passwd: Permission denied\n' });
  expect(await run(['cat', '/x'])).toMatchObject({ code: 1, err: /^cat: can't open '\/x': No/ });
  expect(await sh('select x in a; do :; done')).toMatchObject({ code: 2, err: /does not know "select"/ });
  expect(await sh('if true; then echo')).toMatchObject({ code: 2, err: /unexpected end of file/ });
  expect(await sh('done')).toMatchObject({ code: 2, err: /unexpected "done"/ });
  expect(await sh('[ a -lt 2 ]')).toMatchObject({ code: 2, err: '[: a: bad number\n' });
  expect(await sh('echo "')).toMatchObject({ code: 2 });
});

test.each([
  ['exec serve --port=80', undefined],
  ['command serve', undefined],
  ['exec env A=b', ['exec', 'env']],
  ['command -v serve && command cat /x', ['command', 'command', 'cat']],
  ['exec -a name sleep 5', undefined],
  ['f() { date; g; }; g() { echo $(f); }; f; h', undefined],
  ['f() { date; g; }; g() { echo $(f); }; f', ['date', 'echo']],
  ['eval "$COMMAND"', undefined],
  ['cat <<EOF & wait\n$(serve)\nEOF', undefined],
])('%s runs %j', (script, names) => {
  expect(programsKnownIn(script)).toEqual(names);
});

test.each([
  ['nosuch', 'exec: "nosuch": executable file not found in $PATH: unknown'],
  ['/bin/nosuch', 'exec: "/bin/nosuch": stat /bin/nosuch: no such file or directory: unknown'],
  ['/etc/passwd', 'exec: "/etc/passwd": permission denied: unknown'],
  ['constructor', 'exec: "constructor": executable file not found'],
])('%s cannot be started', async (name, text) => {
  await expect(run([name])).rejects.toThrow(text);
});

test('a shell on a terminal prompts, echoes, and knows the keys that edit', async () => {
  const { out, code } = await run(['sh'], { tty: true, stdin: 'echp\x7fo hi\rexit 2\r' });

  expect(out).toBe('/ # echp\b \bo hi\r\nhi\r\n/ # exit 2\r\n');
  expect(code).toBe(2);
});

test('an archive that a container makes unpacks into the same files', async () => {
  const world = newWorld();
  const long = `/tmp/${'long'.repeat(40)}`;
  await run(['sh', '-c', `mkdir -p /tmp/a/b; echo one > /tmp/a/b/c; echo two > ${long}`], { world });
  const chunks: Uint8Array[] = [];
  const stdout = (chunk: Uint8Array) => void chunks.push(chunk);
  expect(await execute(await world, ['tar', 'cf', '-', '/tmp'], { stdout }, clock)).toBe(0);
  await execute(await world, ['mkdir', '/copy'], {}, clock);
  await execute(
    await world,
    ['tar', '-xmf', '-', '-C', '/copy'],
    {
      stdin: (async function* () {
        yield* chunks;
      })(),
    },
    clock,
  );

  const { out } = await run(['cat', '/copy/tmp/a/b/c', `/copy${long}`], { world });
  expect(out).toBe('one\ntwo\n');
});

test('a terminal tells its size, and what it becomes', async () => {
  const world = await newWorld();
  const sizes = (async function* () {
    yield { width: 100, height: 30 };
    yield { width: 120, height: 35 };
  })();
  let out = '';
  const stdin = (async function* () {
    yield encoder.encode('stty size\r');
    yield encoder.encode('resize\rstty -a\r');
  })();
  const stdout = (chunk: Uint8Array) => void (out += new TextDecoder().decode(chunk));
  await execute(world, ['sh'], { stdin, stdout, tty: true, sizes }, clock);
  expect(out).toMatch(/\n(30 100|35 120)\r\n/);
  expect(out).toContain('COLUMNS=120;LINES=35;export COLUMNS LINES;');
  expect(out).toContain('rows 35; columns 120;');
});

test('without a terminal there is no size', async () => {
  expect(await sh('stty size')).toEqual({ code: 1, out: '', err: 'stty: standard input: Not a tty\n' });
});

test('variables name the services of the namespace, and the API server', async () => {
  const { out } = await sh('env | grep SERVICE_');
  expect(out.trim().split('\n')).toEqual([
    'KUBERNETES_SERVICE_HOST=10.96.0.9',
    'KUBERNETES_SERVICE_PORT=443',
    'DB_SERVICE_HOST=10.96.0.9',
    'DB_SERVICE_PORT=5432',
  ]);
});

test('a listing shows the time of day of what is recent, and the year of what is not', async () => {
  expect((await sh('touch /tmp/f; ls -l /tmp')).out).toContain(' Jan  1 00:00 f\n');
  const world = await newWorld();
  world.files.write('/tmp/old', new Uint8Array(0), Date.parse('2001-02-13T04:05:06Z'));
  expect((await run(['ls', '-l', '/tmp/old'], { world: Promise.resolve(world) })).out).toContain(
    ' Feb 13  2001 /tmp/old\n',
  );
});
