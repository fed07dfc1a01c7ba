import { ElidedName } from '../../controls/elided-name.tsx';
import { Ago } from '../../controls/ago.tsx';
import { Badge } from '../../controls/tone.tsx';
import { resourceOfKind } from '../../cluster/kinds.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import type { ReportedEvent } from '../../cluster/event.ts';
import type { KindOfWorkloads } from './workloads.ts';

const text = inLanguages(
  {
    title: 'What changed',
    none: 'No recent changes',
    created: (manager: string) => `created by ${manager}`,
    changed: (manager: string) => `changed by ${manager}`,
    scaled: (manager: string) => `(replicas set by ${manager})`,
  },
  {
    title: '最近的变化',
    none: '最近没有变化',
    created: (manager: string) => `由 ${manager} 创建`,
    changed: (manager: string) => `由 ${manager} 修改`,
    scaled: (manager: string) => `（副本数由 ${manager} 设定）`,
  },
);

const shownMax = 15;

interface Entry {
  readonly key: string;
  readonly path: string | undefined;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly what: string;
  readonly badge: string;
  readonly isWarning: boolean;
  readonly timeMs: number;
}

interface RecentChangesProps {
  readonly events: ReadonlyMap<string, ReportedEvent>;
  readonly workloads: readonly KindOfWorkloads[];
}

/** Changes made by users, and the events that followed, newest first. */
export function RecentChanges({ events, workloads }: RecentChangesProps) {
  const scaled = scaledWorkloads(workloads);
  const entries = [
    ...[...events.values()].map((event) => ofEvent(event, scaled)),
    ...workloads.flatMap(ofWorkloads),
  ]
    .toSorted((one, other) => other.timeMs - one.timeMs)
    .slice(0, shownMax);
  return (
    <section class="panel" aria-labelledby="changes-title">
      <div class="panel-head">
        <h2 id="changes-title">{text().title}</h2>
      </div>
      {entries.length === 0 && <p class="all-well">{text().none}</p>}
      <ul class="entries">
        {entries.map((entry) => (
          <li key={entry.key}>
            <a href={entry.path}>
              <span class="entry-head">
                <span class="entry-name truncated">
                  <ElidedName name={entry.name} />
                </span>
                <span class="entry-time">
                  <Ago time={new Date(entry.timeMs).toISOString()} />
                </span>
              </span>
              <span class="entry-head">
                <span class="entry-note truncated">
                  {[entry.kind, entry.namespace].filter(Boolean).join(' · ')}
                </span>
                {entry.badge !== '' && <Badge tone={entry.isWarning ? 'warn' : 'idle'}>{entry.badge}</Badge>}
              </span>
              <span class="entry-reason">{entry.what}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who set the number of replicas, by the path of the object. */
function scaledWorkloads(workloads: readonly KindOfWorkloads[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { resource, state } of workloads)
    for (const { metadata, scaledBy } of state.objects.values())
      if (scaledBy !== undefined)
        found.set(objectPath(resource, metadata.namespace, metadata.name ?? ''), scaledBy);
  return found;
}

function ofEvent(
  { metadata, about, reason, message, count, isWarning, timeMs }: ReportedEvent,
  scaled: ReadonlyMap<string, string>,
): Entry {
  const resource = resourceOfKind(about.apiVersion, about.kind);
  const path = resource && objectPath(resource, about.namespace, about.name);
  const scaler = reason.startsWith('Scaling') && path !== undefined ? scaled.get(path) : undefined;
  const said = count > 1 ? `${message} (×${count})` : message;
  return {
    key: metadata.uid ?? '',
    path,
    kind: about.kind,
    namespace: about.namespace,
    name: about.name,
    what: scaler === undefined ? said : `${said} ${text().scaled(scaler)}`,
    badge: reason,
    isWarning,
    timeMs,
  };
}

const ofWorkloads = ({ resource, state }: KindOfWorkloads): readonly Entry[] =>
  [...state.objects.values()].flatMap(({ metadata: { namespace, name = '' }, change }) =>
    change === undefined
      ? []
      : [
          {
            key: `${resource.resource}/${namespace}/${name}`,
            path: objectPath(resource, namespace, name),
            kind: resource.kind,
            namespace,
            name,
            what: (change.isCreation ? text().created : text().changed)(change.manager),
            badge: '',
            isWarning: false,
            timeMs: change.timeMs,
          },
        ],
  );
