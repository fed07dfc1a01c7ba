import type { KubeObject } from '@coxswain/apimachinery';
import { useMemo } from 'preact/hooks';
import { useLive } from '../../../cluster/use-live.ts';
import { Ago } from '../../../controls/ago.tsx';
import { Failed, Loading } from '../../../controls/notice.tsx';
import { Badge } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { objectEventsSpec } from '../object-events-spec.ts';

const text = inLanguages(
  { title: 'Events', none: 'No events. The server keeps them for an hour.' },
  { title: '事件', none: '没有事件。服务器只保留一小时内的事件。' },
);

export function ObjectEvents({ object }: { readonly object: KubeObject }) {
  const spec = useMemo(() => objectEventsSpec(object), [object.metadata.uid]);
  const { objects, phase, failure } = useLive(spec);
  const events = [...objects.values()].toSorted((one, other) => other.timeMs - one.timeMs);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{text().title}</h2>
        {events.length > 0 && <span class="panel-note">{events.length}</span>}
      </div>
      {phase === 'failed' && <Failed failure={failure} />}
      {phase === 'loading' && events.length === 0 && <Loading lines={1} />}
      {phase !== 'failed' && phase !== 'loading' && events.length === 0 && (
        <p class="all-well">{text().none}</p>
      )}
      <ul class="conditions">
        {events.map(({ metadata, reason, message, count, isWarning, timeMs }) => (
          <li key={metadata.uid}>
            <Badge tone={isWarning ? 'warn' : 'idle'}>{reason}</Badge>
            <span class="condition-why">{count > 1 ? `${message} (×${count})` : message}</span>
            <span class="condition-since">
              <Ago time={new Date(timeMs).toISOString()} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
