/** A shell in a container of the pod. */

import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useMay } from '../../../cluster/permissions.ts';
import { Button } from '../../../controls/button.tsx';
import { Empty } from '../../../controls/notice.tsx';
import { theme } from '../../../design/theme.ts';
import { containerSituation } from '../../../health/container-situation.ts';
import { inLanguages } from '../../../language/language.ts';
import type { ObjectTabProps } from '../object-tab.ts';
import { withAdoptedStyles } from './adopted-styles.ts';
import { openExec } from './exec-socket.ts';
import './terminal.css';

const text = inLanguages(
  {
    open: 'Open a shell',
    container: 'Container',
    command: 'Command',
    ended: 'The command ended',
    again: 'Open again',
    terminal: 'Terminal. Shift+Tab leaves it.',
    notRunning: (state: string) => `The container is not running: ${state}`,
    none: 'No shell is open',
    noneWhy: 'The command above runs in the container, with a terminal.',
  },
  {
    open: '打开终端',
    container: '容器',
    command: '命令',
    ended: '命令已结束',
    again: '重新打开',
    terminal: '终端。按 Shift+Tab 离开。',
    notRunning: (state: string) => `容器未在运行：${state}`,
    none: '尚未打开终端',
    noneWhy: '上面的命令会在容器中运行，并连接到此处的终端。',
  },
);

export default function TerminalTab({ kind, namespace = 'default', name, object }: ObjectTabProps) {
  const containers = ((object as Live<Pod>).spec?.containers ?? []).map((container) => container.name);
  const [container, setContainer] = useState(containers[0] ?? '');
  const [command, setCommand] = useState('sh');
  const [session, setSession] = useState(0);
  const unless = whyNot(object as Live<Pod>, container);
  const may = useMay({ verb: 'create', resource: kind, subresource: 'exec', namespace, name });
  return (
    <div class="terminal">
      <div class="tool-bar" role="toolbar">
        <select
          class="input"
          aria-label={text().container}
          value={container}
          onChange={({ currentTarget }) => setContainer(currentTarget.value)}
        >
          {containers.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <input
          class="input mono"
          aria-label={text().command}
          value={command}
          onInput={({ currentTarget }) => setCommand(currentTarget.value)}
        />
        <span class="tool-note" />
        <Button
          kind="primary"
          icon="terminal"
          may={may}
          unless={unless}
          onPress={() => setSession(session + 1)}
        >
          {session === 0 ? text().open : text().again}
        </Button>
      </div>
      {session === 0 && <Empty title={text().none}>{unless ?? text().noneWhy}</Empty>}
      {session > 0 && (
        <Session
          key={session}
          target={{ namespace, pod: name, container, command: command.trim().split(/\s+/), isTerminal: true }}
        />
      )}
    </div>
  );
}

/** Why no command can be run in a container now. */
function whyNot({ status }: Live<Pod>, container: string): string | undefined {
  const state = status?.containerStatuses?.find(({ name }) => name === container)?.state;
  return state?.running !== undefined ? undefined : text().notRunning(containerSituation(state ?? {}).name);
}

interface SessionProps {
  readonly target: Parameters<typeof openExec>[0];
}

function Session({ target }: SessionProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const terminal = new Terminal({
      fontFamily: 'JetBrains Mono, monospace',
      fontSize: 13,
      cursorBlink: false,
      scrollback: 10_000,
      screenReaderMode: true,
      theme: coloursNow(),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    withAdoptedStyles(() => terminal.open(place.current!));
    const session = openExec(target, {
      onOutput: (bytes) => terminal.write(bytes),
      onEnd: (reason) =>
        terminal.write(`\r\n\u001B[2m— ${text().ended}${reason === '' ? '' : `: ${reason}`}\u001B[0m\r\n`),
    });
    terminal.textarea?.setAttribute('aria-label', text().terminal);
    // Tab belongs to the shell; Shift+Tab leaves it, so that a keyboard is not kept here.
    terminal.attachCustomKeyEventHandler(({ key, shiftKey }) => !(key === 'Tab' && shiftKey));
    terminal.onData(session.write);
    terminal.onResize(({ cols, rows }) => session.resize(cols, rows));
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(place.current!);
    fit.fit();
    session.resize(terminal.cols, terminal.rows);
    terminal.focus();
    return () => {
      observer.disconnect();
      session.close();
      terminal.dispose();
    };
  }, []);
  return <div class="terminal-screen" ref={place} data-theme={theme.value} />;
}

function coloursNow() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: colour('--panel'),
    foreground: colour('--text'),
    cursor: colour('--accent'),
    selectionBackground: colour('--selected'),
    red: colour('--bad'),
    green: colour('--ok'),
    yellow: colour('--warn'),
    blue: colour('--info'),
    brightBlack: colour('--text-3'),
  };
}
