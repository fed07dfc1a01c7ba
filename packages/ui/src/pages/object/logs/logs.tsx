import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../../controls/button.tsx';
import { Empty, Failed, Loading } from '../../../controls/notice.tsx';
import { isNarrow } from '../../../design/narrow.ts';
import { inLanguages } from '../../../language/language.ts';
import { besideMember } from '../../../navigation/paths.ts';
import { currentQuery } from '../../../navigation/route.ts';
import type { ObjectTabProps } from '../object-tab.ts';
import { ContainerChoice } from './container-choice.tsx';
import { followLogs, type LogSource } from './follow-logs.ts';
import { LogLines } from './log-lines.ts';
import { LogView } from './log-view.tsx';
import { logSources } from './log-sources.ts';
import './logs.css';

const text = inLanguages(
  {
    search: 'Search the logs',
    previous: 'Previous run',
    times: 'Times',
    wrap: 'Wrap',
    follow: 'Follow',
    none: 'No log output',
    noPods: 'There are no pods',
    matching: (shown: number, all: number) => `${shown.toLocaleString()} of ${all.toLocaleString()} lines`,
    save: 'Save',
  },
  {
    search: '搜索日志',
    previous: '上一次运行',
    times: '时间',
    wrap: '换行',
    follow: '跟随',
    none: '没有日志',
    noPods: '没有 Pod',
    matching: (shown: number, all: number) => `${shown.toLocaleString()} / ${all.toLocaleString()} 行`,
    save: '保存',
  },
);

export default function Logs({ kind, object, name }: ObjectTabProps) {
  const beside = currentQuery.value.getAll(besideMember);
  const [sources, setSources] = useState<readonly LogSource[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [previous, setPrevious] = useState(false);
  const [follow, setFollow] = useState(true);
  const [withTimes, setWithTimes] = useState(false);
  const [isWrapped, setWrapped] = useState(isNarrow.value);
  const [sought, setSought] = useState('');
  const [shown, setShown] = useState<{ readonly lines: LogLines }>({ lines: new LogLines() });
  useEffect(() => {
    const leaving = new AbortController();
    logSources(kind, object, beside, leaving.signal).then(setSources, setFailure);
    return () => leaving.abort();
  }, [object.metadata.uid, object.metadata.generation, beside.join()]);
  useEffect(() => {
    if (sources === undefined) return undefined;
    const leaving = new AbortController();
    const followed = sources.filter((source) => chosen.size === 0 || chosen.has(source.name));
    followLogs(followed, {
      previous,
      follow,
      signal: leaving.signal,
      onLines: (lines) => setShown({ lines }),
    });
    return () => leaving.abort();
  }, [sources, chosen, previous, follow]);
  const matching = useMemo(() => {
    const words = sought.toLowerCase();
    const { all } = shown.lines;
    return words === '' ? all.slice() : all.filter((line) => line.text.toLowerCase().includes(words));
  }, [shown, sought]);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (sources === undefined) return <Loading />;
  if (sources.length === 0) return <Empty title={text().noPods} />;
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(
      new Blob([matching.map(({ time, source, text }) => `${time} ${source} ${text}\n`).join('')]),
    );
    link.download = `${name}.log`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="logs">
      <div class="tool-bar logs-bar" role="toolbar">
        <input
          class="input"
          type="search"
          data-search
          aria-label={text().search}
          placeholder={`${text().search}  /`}
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
        {sources.length > 1 && (
          <ContainerChoice
            names={sources.map((source) => source.name)}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        <span class="panel-note tool-note" role="status">
          {text().matching(matching.length, shown.lines.all.length)}
        </span>
        <Toggle title={text().previous} value={previous} onChange={setPrevious} />
        <Toggle title={text().times} value={withTimes} onChange={setWithTimes} />
        <Toggle title={text().wrap} value={isWrapped} onChange={setWrapped} />
        <Toggle title={text().follow} value={follow} onChange={setFollow} />
        <Button onPress={save}>{text().save}</Button>
      </div>
      {matching.length === 0 ? (
        <Empty title={text().none} />
      ) : (
        <LogView
          lines={matching}
          sought={sought}
          withTimes={withTimes}
          withSources={sources.length > 1 && chosen.size !== 1}
          isWrapped={isWrapped}
          follow={follow}
        />
      )}
    </div>
  );
}

interface ToggleProps {
  readonly title: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

const Toggle = ({ title, value, onChange }: ToggleProps) => (
  <label class="check-label">
    <input
      type="checkbox"
      checked={value}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {title}
  </label>
);
