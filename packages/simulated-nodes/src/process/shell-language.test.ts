/** Functions, here-documents, background jobs, traps and options of the shell do what they do in BusyBox. */
import { processesMax } from './process-table.ts';
import { seededRandom, systemClock } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { noNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from './container-files.ts';
import { containerWorld } from './container-world.ts';
import { execute } from './execute.ts';
import { contentSources, noSources } from './pod-sources.ts';

const pod = {
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [{ name: 'c', image: 'busybox' }] },
} as unknown as Pod;

async function run(script: string, { shell = 'sh', clock = systemClock } = {}) {
  const world = await containerWorld(pod, pod.spec!.containers![0]!, {
    addresses: ['10.0.0.5'],
    sources: contentSources(noSources, { hostIps: [], podIps: [], allocatable: {} }),
    shared: { ofPod: () => new ContainerFiles(), ofNode: new ContainerFiles() },
    network: noNetwork,
    random: seededRandom(1),
    nowMs: 0,
  });
  let [out, err] = ['', ''];
  const code = await execute(
    world,
    [shell, '-c', script],
    {
      stdout: (chunk) => void (out += new TextDecoder().decode(chunk)),
      stderr: (chunk) => void (err += new TextDecoder().decode(chunk)),
    },
    clock,
  );
  return { code, out, err };
}

test.each([
  ['f() { echo "in $1 $#"; return 3; }; f a b; echo $?', 0, 'in a 2\n3\n', ''],
  ['f() { local x=2; echo $x; }; x=1; f; echo $x', 0, '2\n1\n', ''],
  [
    'f () { if [ "$1" -gt 3 ]; then return 0; fi; echo $1; f $(($1+1)); }; f 1; echo end',
    0,
    '1\n2\n3\nend\n',
    '',
  ],
  ['g() { for i in 1 2 3; do [ $i = 2 ] && return 5; echo $i; done; }; g; echo $?', 0, '1\n5\n', ''],
  ['h() { echo hi; } ; h | tr a-z A-Z', 0, 'HI\n', ''],
  ['a() { exit 4; }; a; echo no', 4, '', ''],
  ['f() (cd /; pwd; x=3); x=1; f; echo $x', 0, '/\n1\n', ''],
  ['set -- a b c; shift; echo $1 $#', 0, 'b 2\n', ''],
  ['set -u; echo ${nope:-d}; echo $nope; echo no', 2, 'd\n', 'sh: nope: parameter not set\n'],
  ["set -x; a=1; echo $a 'x y'", 0, '1 x y\n', "+ a=1\n+ echo 1 'x y'\n"],
  ['set -e; f() { false; echo no; }; f; echo no2', 1, '', ''],
  ["eval 'x=3; echo $x'; echo $x", 0, '3\n3\n', ''],
  ['i=0; while :; do i=$((i+1)); eval "v$i=x"; done; echo no', 2, '', 'sh: out of memory\n'],
  ['x=0123456789abcdef; while :; do x=$x$x; done; echo no', 2, '', 'sh: out of memory\n'],
  ['x=$(seq 2000); echo ${x%%00*}; echo ${#x}', 0, expect.stringMatching(/^1\b[^]* 99 1\n8892\n$/), ''],
  ["trap 'echo bye' EXIT; echo hi", 0, 'hi\nbye\n', ''],
  ["trap 'echo bye' EXIT; exit 3", 3, 'bye\n', ''],
  ["trap 'echo bye $?' 0; false", 1, 'bye 1\n', ''],
  ['sleep 0.1 & wait; echo ok', 0, 'ok\n', ''],
  ['(sleep 0.2; echo late) & echo early; wait', 0, 'early\nlate\n', ''],
  ["sh -c 'exit 7' & wait $!; echo $?", 0, '7\n', ''],
  ['for i in 1 2 3; do echo $i & done | sort; wait; echo done', 0, '1\n2\n3\ndone\n', ''],
  ['false & wait $!; echo $?', 0, '1\n', ''],
  ['echo a && echo b & wait', 0, 'a\nb\n', ''],
  ['if f() { echo x; }; then f; fi', 0, 'x\n', ''],
  ['x=5; f() { x=6; }; f; echo $x', 0, '6\n', ''],
  ['f() { echo "$@"; }; f \'a b\' c', 0, 'a b c\n', ''],
  ['f() { cat; }; echo in | f', 0, 'in\n', ''],
  ['f() { echo err >&2; }; f 2>/dev/null; echo ok', 0, 'ok\n', ''],
  ['unset x; echo ${x-unset}', 0, 'unset\n', ''],
  ['[ "$(f() { echo q; }; f)" = q ] && echo yes', 0, 'yes\n', ''],
  ['cat <<EOF\nhi $((1+1)) $HOME \\$x "q" `echo s`\nEOF\necho after', 0, 'hi 2 /root $x "q" s\nafter\n', ''],
  ["cat <<'EOF'\n$x \\n\nEOF", 0, '$x \\n\n', ''],
  ['cat <<-EOF\n\t\ta\n\tb\n\tEOF\necho z', 0, 'a\nb\nz\n', ''],
  ['cat <<A <<B\n1\nA\n2\nB', 0, '2\n', ''],
  ['cat <<EOF | tr a-z A-Z\nabc\nEOF', 0, 'ABC\n', ''],
  ['f() {\n  cat <<EOF\nv=$1\nEOF\n}\nf 3', 0, 'v=3\n', ''],
  ['if true; then\ncat <<EOF\nx\nEOF\nfi', 0, 'x\n', ''],
  ['while read l; do echo "<$l>"; done <<EOF\na b\nc\nEOF', 0, '<a b>\n<c>\n', ''],
  ['function_name() {\n  echo hi\n}\nfunction_name', 0, 'hi\n', ''],
  ['f() { echo a\necho b; }; f', 0, 'a\nb\n', ''],
  ['echo a &\nwait', 0, 'a\n', ''],
  ['sleep 0.05 &\nP=$!\n[ -n "$P" ] && echo started\nwait $P\necho $?', 0, 'started\n0\n', ''],
  ['cat <<EOF; echo same\nx\nEOF', 0, 'x\nsame\n', ''],
  ['x=$(cat <<EOF\nin $HOME\nEOF\n)\necho "$x"', 0, 'in /root\n', ''],
  ['i=1; echo $((i++)) $i $((++i)) $((i+=5)) $i $((i=2)) $((i*=3)) $i', 0, '1 2 3 8 8 2 6 6\n', ''],
  [
    'echo $((1?2:3)) $((0?2:3)) $((5&3)) $((5|3)) $((5^3)) $((1<<4)) $((256>>2)) $((~1))',
    0,
    '2 3 1 7 6 16 64 -2\n',
    '',
  ],
  ['echo $((x)) $(($x+1)) $((${x:-4}*2))', 0, '0 1 8\n', ''],
  ['f() { echo $(($1+$#)); }; f 3 4', 0, '5\n', ''],
  ['echo $((2 +))', 2, '', 'sh: arithmetic syntax error\n'],
  ['echo $(( $(echo 3) * 2 ))', 0, '6\n', ''],
  ['i=0; while [ $((i++)) -lt 3 ]; do echo $i; done', 0, '1\n2\n3\n', ''],
  ['echo $((1=2))', 2, '', 'sh: arithmetic syntax error\n'],
  ['while [ $(( i += 1 )) -le 2 ]; do echo $i; done', 0, '1\n2\n', ''],
  [
    'set -eu\nfoo() {\n  local a="$1"; shift\n  for x in "$@"; do echo "$a:$x"; done\n}\nfoo k 1 2',
    0,
    'k:1\nk:2\n',
    '',
  ],
  ['set -- "a b" c; for x in "$@"; do echo "<$x>"; done', 0, '<a b>\n<c>\n', ''],
  ['set --; for x in "$@"; do echo "<$x>"; done; echo end', 0, 'end\n', ''],
  ['set -- 1 2; printf "[%s]\\n" "x$@y"', 0, '[x1]\n[2y]\n', ''],
  ['f() { printf "[%s]\\n" "$@"; }; f "a b" "" c', 0, '[a b]\n[]\n[c]\n', ''],
  ['set -- a b; echo "$*" $#', 0, 'a b 2\n', ''],
  ['set --; printf "[%s]\\n" "$@" x', 0, '[x]\n', ''],
  ['set -- "*"; echo "$@"', 0, '*\n', ''],
])('%j', async (script, code, out, err) => {
  expect(await run(script)).toEqual({ code, out, err });
});

test.each([
  ['[[ web-12 =~ -([0-9]+)$ ]] && echo ${BASH_REMATCH[1]} $((100 + ${BASH_REMATCH[1]}))', '12 112\n'],
  ['[[ web =~ ^(a|b)+$ ]] || echo no', 'no\n'],
  ['cat <<< "a $((1 + 2))"', 'a 3\n'],
  ['a=("x y" z); printf "[%s]" "${a[@]}"', '[x y][z]'],
])('%j, as in bash', async (script, out) => {
  expect(await run(script)).toEqual({ code: 0, out, err: '' });
});

test.each([
  ['for i in {1..3} {c..a}; do echo -n "$i "; done', '1 2 3 c b a '],
  ['a=x; echo ${a}{1,"2 3",}y {08..12..2} {-1..1} {5..1..2}', 'x1y x2 3y xy 08 10 12 -1 0 1 5 3 1\n'],
  ['echo {a,b{1..2}}{x,y} a{b{c,d}}', 'ax ay b1x b1y b2x b2y a{bc} a{bd}\n'],
  [
    'echo {} {a} {1..} "{a,b}" \\{a,b} {a\\,b} {a,b a} {1..10001} {{',
    '{} {a} {1..} {a,b} {a,b} {a,b} {a,b a} {1..10001} {{\n',
  ],
  [
    'mkdir -p /tmp/{a,b}/c; cd /tmp; echo */c; x={a,b}; echo "$x"; y=({1..3}); echo ${#y[@]}',
    'a/c b/c\n{a,b}\n3\n',
  ],
  ['set +B; echo {a,b}; (set -B; echo {a,b} | cat)', '{a,b}\na b\n'],
])('%j expands braces in bash', async (script, out) => {
  expect(await run(script, { shell: 'bash' })).toEqual({ code: 0, out, err: '' });
});

test('BusyBox has no braces to expand', async () => {
  expect(await run('echo {a,b} {1..3}')).toEqual({ code: 0, out: '{a,b} {1..3}\n', err: '' });
});

test('a function that calls itself for ever ends the script', async () => {
  expect(await run('f() { f; }; f; echo never')).toEqual({
    code: 2,
    out: '',
    err: 'sh: maximum function nesting exceeded\n',
  });
});

test.each([
  ['a loop', 'i=0; while [ $i -lt 800 ]; do i=$((i+1)); done'],
  ['a pipe', 'yes | head -n 3000 | cat >/dev/null'],
  ['output', 'dd if=/dev/zero bs=800k count=1'],
  ['output to a file', 'dd if=/dev/zero bs=800k count=1 >/tmp/a'],
  ['input from a file', 'dd if=/dev/zero of=/tmp/a bs=800k count=1; wc -c </tmp/a; wc -c /tmp/a'],
])('%s that never waits leaves everything else its turns', async (_what, script) => {
  let nowMs = 0;
  const clock: typeof systemClock = Object.assign(Object.create(systemClock), { monotonic: () => nowMs++ });
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await run(script, { clock });
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});

test('more processes than a container may have end the script', async () => {
  const { code, out, err } = await run('i=0; while :; do i=$((i+1)); echo $i; sleep 60 & done');

  expect({ code, err }).toEqual({ code: 2, err: "sh: can't fork: Resource temporarily unavailable\n" });
  const started = Number(out.trim().split('\n').at(-1));
  // Each is a shell and its program, of which the latest may not have begun.
  expect(started).toBeGreaterThanOrEqual(processesMax / 2);
  expect(started).toBeLessThanOrEqual(processesMax);
});

test('text that is too long for a program fails it', async () => {
  expect(await run('yes | sort')).toMatchObject({ out: '', err: expect.stringContaining('out of memory') });
});
