import type { ApiResource } from '@coxswain/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { kinds, pluralOf } from '../../cluster/kinds.ts';
import { Failed, Loading } from '../../controls/notice.tsx';
import { Icon } from '../../design/icon.tsx';
import { inLanguages } from '../../language/language.ts';
import { explorerPath } from '../../navigation/paths.ts';
import { currentPath, currentQuery } from '../../navigation/route.ts';
import { pageOf, pages } from '../../pages/pages.ts';
import { kindGroups } from './kind-groups.ts';
import './sidebar.css';

const text = inLanguages(
  {
    navigation: 'Navigation',
    recordings: 'Recordings',
    groups: {
      workloads: 'Workloads',
      network: 'Network',
      configuration: 'Configuration',
      storage: 'Storage',
      access: 'Access control',
      cluster: 'Cluster',
      other: 'Other kinds',
    },
  },
  {
    navigation: '导航',
    recordings: '记录',
    groups: {
      workloads: '工作负载',
      network: '网络',
      configuration: '配置',
      storage: '存储',
      access: '访问控制',
      cluster: '集群',
      other: '其他类型',
    },
  },
);

const storageKey = 'coxswain-open-groups';

/** The groups that the user has opened. */
const openGroups = signal<ReadonlySet<string>>(
  new Set((localStorage.getItem(storageKey) ?? 'workloads,cluster').split(',')),
);

function toggle(id: string): void {
  const next = new Set(openGroups.value);
  if (!next.delete(id)) next.add(id);
  openGroups.value = next;
  localStorage.setItem(storageKey, [...next].join());
}

/** Whether the menu is open on pages too narrow to show it permanently. */
export const isMenuOpen = signal(false);

export function Sidebar() {
  const current = pageOf(currentPath.value);
  useEffect(() => void (isMenuOpen.value = false), [currentPath.value]);
  return (
    <nav class="sidebar" aria-label={text().navigation} data-open={isMenuOpen.value ? true : undefined}>
      <a class="sidebar-brand" href="/">
        <img src="/icon.svg" alt="" width="20" height="20" />
        Coxswain
      </a>
      <ul>
        {pages
          .filter(({ navigation }) => navigation !== undefined && navigation.isShown?.() !== false)
          .map((page) => (
            <li key={page.room}>
              <a href={`/${page.room}`} aria-current={page === current ? 'page' : undefined}>
                <Icon name={page.navigation!.icon} />
                {page.title()}
              </a>
            </li>
          ))}
        <li>
          <a href="/recording" data-document>
            <Icon name="trace" />
            {text().recordings}
          </a>
        </li>
      </ul>
      <Kinds />
    </nav>
  );
}

function Kinds() {
  const { isLoading, failure, resources } = kinds.value;
  if (isLoading) return <Loading lines={8} />;
  if (failure !== undefined && resources.length === 0) return <Failed failure={failure} />;
  return (
    <>
      {kindGroups().map(({ id, icon, kinds }) => {
        const isOpen = openGroups.value.has(id);
        return (
          <section key={id}>
            <button type="button" class="sidebar-group" aria-expanded={isOpen} onClick={() => toggle(id)}>
              <Icon name={icon} />
              <span>{text().groups[id]}</span>
              <Icon name={isOpen ? 'down' : 'chevron'} size={12} />
            </button>
            {isOpen && (
              <ul>
                {kinds.map((kind) => (
                  <KindLink key={explorerPath(kind)} kind={kind} isOther={id === 'other'} />
                ))}
              </ul>
            )}
          </section>
        );
      })}
    </>
  );
}

function KindLink({ kind, isOther }: { readonly kind: ApiResource; readonly isOther: boolean }) {
  const path = explorerPath(kind);
  const name = pluralOf(kind);
  // Keeps the namespace that the user is looking at.
  const namespace = currentPath.value.startsWith('/explore/') ? currentQuery.value.get('namespace') : null;
  const query =
    kind.namespaced && namespace !== null ? `?${new URLSearchParams({ namespace }).toString()}` : '';
  return (
    <li>
      <a
        class="sidebar-kind"
        href={path + query}
        title={kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`}
        aria-current={currentPath.value === path ? 'page' : undefined}
      >
        <span class="truncated">{name}</span>
        {isOther && <span class="sidebar-api-group truncated">{kind.group.split('.')[0]}</span>}
      </a>
    </li>
  );
}
