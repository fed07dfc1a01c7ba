import type { ObjectHistory } from '@coxswain/client/history/object-history.ts';
import { useEffect, useRef } from 'preact/hooks';
import { FieldLine } from '../../../controls/field-line.tsx';
import { Badge } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { userName, writerText } from '../../../controls/user-name.ts';
import { clockTime } from '../../../controls/clock-time.ts';
import { changeText } from './moment-text.ts';
import { toneOf } from './moment-tone.ts';
import {
  fieldChanges,
  type ContainerMoment,
  type EventMoment,
  type Moment,
  type RevisionMoment,
  type WorkMoment,
} from './moments.ts';

const text = inLanguages(
  {
    title: 'What happened',
    unknown: 'an unknown writer',
    deleted: 'Neither the time nor the user is recorded.',
    managedOnly: 'only field ownership',
    more: (count: number) => `and ${count} more`,
    compacted: 'Earlier changes were compacted by the server.',
    limited: 'Earlier changes are not shown.',
    container: (name: string) => `container ${name}`,
    work: { reconcile: 'reconcile', schedule: 'schedule', sync: 'sync' },
  },
  {
    title: '经过',
    unknown: '未留下痕迹的写入者',
    deleted: '没有记录时间和用户。',
    managedOnly: '仅字段归属变化',
    more: (count: number) => `另有 ${count} 项`,
    compacted: '更早的记录已被服务器压缩。',
    limited: '更早的变更未显示。',
    container: (name: string) => `容器 ${name}`,
    work: { reconcile: '协调', schedule: '调度', sync: '同步' },
  },
);

/** The verb, which a badge shows, and what the paths of all requests to the object share. */
const commonPath = /^\S+ \/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/(?=\w))?/;

interface MomentListProps {
  readonly moments: readonly Moment[];
  readonly index: number;
  readonly begins: ObjectHistory['begins'];
  readonly onChoose: (index: number) => void;
}

/** Newest first. */
export function MomentList({ moments, index, begins, onChoose }: MomentListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  return (
    <section class="moments">
      <h2 class="visually-hidden">{text().title}</h2>
      <ul ref={list}>
        {moments
          .map((moment, at) => (
            <li key={moment.id}>
              <button
                type="button"
                class="moment"
                aria-current={at === index ? 'step' : undefined}
                onClick={() => onChoose(at)}
              >
                <MomentBody moment={moment} />
              </button>
            </li>
          ))
          .toReversed()}
        {begins !== 'created' && <li class="moments-begin">{text()[begins]}</li>}
      </ul>
    </section>
  );
}

function MomentBody({ moment }: { readonly moment: Moment }) {
  if ('event' in moment) return <EventBody moment={moment} />;
  if ('state' in moment) return <Container moment={moment} />;
  return 'work' in moment ? <Done moment={moment} /> : <Revision moment={moment} />;
}

const fieldsMax = 4;

function Revision({ moment }: { readonly moment: RevisionMoment }) {
  const { change, writer, user, diff, timeMs } = moment;
  const fields = change.kind === 'changed' ? fieldChanges(diff) : [];
  return (
    <>
      <span class="moment-head">
        <Badge tone={toneOf(moment)}>{changeText()[change.kind]}</Badge>
        <span class="moment-who truncated" title={writer?.operation}>
          {writerText(writer?.manager, user) ?? text().unknown}
        </span>
        <time>{clockTime(timeMs)}</time>
      </span>
      {change.kind === 'deleted' && user === undefined && <span class="moment-note">{text().deleted}</span>}
      {change.kind === 'changed' && fields.length === 0 && (
        <span class="moment-note">{text().managedOnly}</span>
      )}
      {fields.slice(0, fieldsMax).map(({ path, from, to }) => (
        <FieldLine key={path} path={path} from={from} to={to} />
      ))}
      {fields.length > fieldsMax && <span class="moment-note">{text().more(fields.length - fieldsMax)}</span>}
    </>
  );
}

function EventBody({ moment }: { readonly moment: EventMoment }) {
  const { event, timeMs } = moment;
  return (
    <>
      <span class="moment-head">
        <Badge tone={toneOf(moment)}>{event.reason}</Badge>
        <span class="moment-who">{event.count > 1 ? `×${event.count}` : ''}</span>
        <time>{clockTime(timeMs)}</time>
      </span>
      <span class="moment-note moment-message">{event.message}</span>
    </>
  );
}

function Container({ moment }: { readonly moment: ContainerMoment }) {
  const { container, state, timeMs } = moment;
  return (
    <>
      <span class="moment-head">
        <Badge tone={toneOf(moment)}>{state.name}</Badge>
        <span class="moment-who truncated">{text().container(container)}</span>
        <time>{clockTime(timeMs)}</time>
      </span>
      {state.note !== '' && <span class="moment-note moment-message">{state.note}</span>}
    </>
  );
}

function Done({ moment }: { readonly moment: WorkMoment }) {
  const { by, name, kind, durationMs, failure } = moment.work;
  return (
    <>
      <span class="moment-head">
        <Badge tone={toneOf(moment)}>{kind === 'request' ? name.split(' ', 1)[0] : text().work[kind]}</Badge>
        <span class="moment-who truncated" title={by}>
          {userName(by)}
        </span>
        <time>{clockTime(moment.timeMs)}</time>
      </span>
      {kind === 'request' && (
        <span class="field-line truncated" title={name}>
          {name.replace(commonPath, '')}
        </span>
      )}
      {(durationMs !== undefined || failure !== undefined) && (
        <span class="moment-note moment-message">
          {[durationMs !== undefined && `${durationMs.toFixed(1)} ms`, failure].filter(Boolean).join(' · ')}
        </span>
      )}
    </>
  );
}
