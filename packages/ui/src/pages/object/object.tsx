/** One object: its state, the reasons for it, and the actions on it. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { useMemo, useRef } from 'preact/hooks';
import { resourceIn } from '../../cluster/cluster.ts';
import { latestWarning } from '../../cluster/event.ts';
import { kindOf, pluralOf } from '../../cluster/kinds.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { useLive } from '../../cluster/use-live.ts';
import { Ago } from '../../controls/ago.tsx';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { UnknownKind } from '../../controls/unknown-kind.tsx';
import { Badge } from '../../controls/tone.tsx';
import { healthOf } from '../../health/health-of.ts';
import type { Health } from '../../health/health.ts';
import { inLanguages } from '../../language/language.ts';
import { explorerPath, objectPath, segmentsOf } from '../../navigation/paths.ts';
import { currentPath } from '../../navigation/route.ts';
import { lazyTab } from './lazy-tab.tsx';
import { ObjectActions } from './object-actions.tsx';
import { objectEventsSpec } from './object-events-spec.ts';
import { tabs } from './tabs.ts';
import { useGone } from './use-gone.ts';
import './object.css';

const text = inLanguages(
  {
    missing: 'Object not found',
    missingWhy: (name: string) =>
      `${name} does not exist, and the server knows of no deleted object with that name. It appears here as soon as it is created.`,
    deleted: 'Deleted. This is its last known state.',
    tabs: 'Views of the object',
  },
  {
    missing: '没有这个对象',
    missingWhy: (name: string) => `${name} 不存在，服务器也没有它被删除的记录。创建后页面会自动显示。`,
    deleted: '已删除。当前显示的是最后的状态。',
    tabs: '对象视图',
  },
);

export default function ObjectPage() {
  const [group = '', version = '', resource = '', namespace = '', name = '', tab = ''] = segmentsOf(
    currentPath.value,
  );
  const kind = kindOf(group, version, resource);
  if (kind === undefined) return <UnknownKind />;
  const key = [group, version, resource, namespace, name].join('/');
  return <OneObject key={key} kind={kind} namespace={namespace || undefined} name={name} tab={tab} />;
}

interface OneObjectProps {
  readonly kind: ApiResource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly tab: string;
}

function OneObject({ kind, namespace, name, tab }: OneObjectProps) {
  const spec = useMemo(() => {
    const selection = { fieldSelector: `metadata.name=${name}` };
    return {
      key: `object ${objectPath(kind, namespace, name)}`,
      source: objectSource(resourceIn(kind, namespace), selection, (object: KubeObject) => object),
    };
  }, []);
  const { phase, failure, objects } = useLive(spec);
  const last = useRef<KubeObject | undefined>(undefined);
  const [present] = objects.values();
  // A new object of the same name replaces the old one.
  if (present !== undefined) last.current = present;
  const gone = useGone(kind, namespace, name, phase === 'live' && last.current === undefined);
  const object = last.current ?? (gone === 'sought' ? undefined : gone);
  if (object === undefined)
    return (
      <div class="object">
        <header class="object-head" data-is-alone>
          <ObjectPath kind={kind} namespace={namespace} />
          <div class="object-title">
            <h1>{name}</h1>
          </div>
        </header>
        {phase === 'failed' ? (
          <Failed failure={failure} />
        ) : phase === 'loading' || gone === 'sought' ? (
          <Loading lines={12} />
        ) : (
          <Empty title={text().missing}>{text().missingWhy(name)}</Empty>
        )}
      </div>
    );
  const isDeleted = present === undefined && phase !== 'loading';
  const shown = tabs.filter(({ isFor }) => isFor?.(kind) !== false);
  const first = isDeleted && last.current === undefined ? 'history' : shown[0]!.id;
  const current = shown.find(({ id }) => id === (tab || first)) ?? shown[0]!;
  const Tab = lazyTab(current);
  const health = healthOf(kind, object);
  return (
    <div class="object">
      <header class="object-head">
        <ObjectPath kind={kind} namespace={namespace} />
        <div class="object-title">
          <h1>{name}</h1>
          {health.state !== '' && <Badge tone={isDeleted ? 'idle' : health.tone}>{health.state}</Badge>}
          <span class="object-age">
            <Ago time={object.metadata.creationTimestamp} />
          </span>
          <ObjectActions kind={kind} object={object} isDeleted={isDeleted} />
        </div>
        {isDeleted ? (
          <p class="object-reason">{[text().deleted, health.reason].filter(Boolean).join(' ')}</p>
        ) : (
          <Reason object={object} health={health} />
        )}
        <nav class="tabs" aria-label={text().tabs}>
          {shown.map(({ id, title }) => (
            <a
              key={id}
              href={objectPath(kind, namespace, name, id === first ? '' : id)}
              aria-current={id === current.id ? 'page' : undefined}
            >
              {title()}
            </a>
          ))}
        </nav>
      </header>
      <div class="object-tab">
        <Tab kind={kind} namespace={namespace} name={name} object={object} isDeleted={isDeleted} />
      </div>
    </div>
  );
}

/** Why an object is in its state; the latest warning about it if its status does not tell. */
function Reason({
  object,
  health: { tone, reason },
}: {
  readonly object: KubeObject;
  readonly health: Health;
}) {
  const isUntold = reason === '' && tone !== 'ok' && tone !== 'idle';
  const events = useLive(isUntold ? objectEventsSpec(object) : undefined);
  const told = events === undefined ? reason : latestWarning(events.objects.values());
  return told === '' ? null : (
    <p class="object-reason" data-tone={tone}>
      {told}
    </p>
  );
}

const ObjectPath = ({ kind, namespace }: Pick<OneObjectProps, 'kind' | 'namespace'>) => (
  <nav class="object-path" aria-label={kind.kind}>
    <a href={explorerPath(kind)}>{pluralOf(kind)}</a>
    {namespace !== undefined && (
      <>
        <span aria-hidden="true">/</span>
        <a href={`${explorerPath(kind)}?namespace=${encodeURIComponent(namespace)}`}>{namespace}</a>
      </>
    )}
  </nav>
);
