import { detach } from '@coxswain/apimachinery/detach.ts';
import { facts } from '../../cluster/cluster.ts';
import { kinds } from '../../cluster/kinds.ts';
import { useMay } from '../../cluster/permissions.ts';
import { Button } from '../../controls/button.tsx';
import { Badge, type Tone } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { actionOf } from './action-of.ts';
import type { ChapterCommand } from './commands.ts';
import { run, runs, stop, type Run } from './runs.ts';

const text = inLanguages(
  {
    all: 'Run all',
    run: (line: string) => `Run ${line}`,
    stop: 'Stop',
    recording: 'Open the recording',
    states: { running: 'running', done: 'done', failed: 'failed', stopped: 'stopped' },
    printed: 'Output',
  },
  {
    all: '全部运行',
    run: (line: string) => `运行 ${line}`,
    stop: '停止',
    recording: '打开记录',
    states: { running: '运行中', done: '完成', failed: '失败', stopped: '已停止' },
    printed: '输出',
  },
);

const tones: Readonly<Record<Run['state'], Tone>> = {
  running: 'info',
  done: 'ok',
  failed: 'bad',
  stopped: 'idle',
};

interface CommandListProps {
  /** The id of the example in the tour. */
  readonly id: string;
  readonly commands: readonly ChapterCommand[];
}

export function CommandList({ id, commands }: CommandListProps) {
  const keyed = commands.map((command, index) => ({ command, key: `${id}/${index}` }));
  const runnable = keyed.filter(({ command }) => command.isRunnable);
  const isRunning = runnable.some(({ key }) => runs.value.get(key)?.state === 'running');
  const runAll = async (): Promise<void> => {
    for (const { command, key } of runnable) if (!(await run(key, command))) return;
  };
  return (
    <div class="tour-commands">
      {runnable.length > 1 && (
        <Button
          icon="play"
          kind="primary"
          unless={isRunning ? text().states.running : undefined}
          onPress={() => detach(runAll())}
        >
          {text().all}
        </Button>
      )}
      <ul>
        {keyed.map(({ command, key }) => (
          <li key={key}>
            {command.isRunnable ? (
              <Command command={command} id={key} />
            ) : (
              <pre class="tour-line">{command.line}</pre>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Command({ command, id }: { readonly command: ChapterCommand; readonly id: string }) {
  const may = useMay(actionOf(command.line, facts.value.namespace, kinds.value.resources));
  const asked = may.answer === 'denied' ? may : undefined;
  const last = runs.value.get(id);
  const isRunning = last?.state === 'running';
  return (
    <>
      <div class="tour-command">
        <pre class="tour-line">
          {command.line}
          {command.stdin !== '' && <span class="tour-stdin">{`\n${command.stdin.trimEnd()}`}</span>}
        </pre>
        {last !== undefined && <Badge tone={tones[last.state]}>{text().states[last.state]}</Badge>}
        <Button
          icon={isRunning ? 'close' : 'play'}
          label={isRunning ? text().stop : text().run(command.line)}
          {...(asked !== undefined && { may: asked })}
          onPress={() => (isRunning ? stop(id) : void run(id, command))}
        />
      </div>
      {last !== undefined && last.printed !== '' && (
        <pre class="tour-printed" aria-label={text().printed} tabIndex={0}>
          {last.printed}
        </pre>
      )}
      {last?.recording !== undefined && !isRunning && (
        <a class="link tour-recording" href={last.recording} target="_blank" rel="noopener">
          {text().recording}
        </a>
      )}
    </>
  );
}
