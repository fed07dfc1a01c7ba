/** The order of the site's pages. Pages that are not there yet in a language are left out of its lists. */

export type Language = 'en' | 'zh';

export interface Chapter {
  readonly directory: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Relative to `docs/`, without `.md`. */
  readonly pages: readonly string[];
  /** Listed below the others, under a heading of their own. */
  readonly details?: {
    readonly title: Readonly<Record<Language, string>>;
    readonly pages: readonly string[];
  };
}

const chapter = (
  directory: string,
  title: Readonly<Record<Language, string>>,
  names: readonly string[],
): Chapter => ({ directory, title, pages: names.map((name) => `${directory}/${name}`) });

export const chapters: readonly Chapter[] = [
  chapter('start', { en: 'Start', zh: '入门' }, [
    'install',
    'first-cluster',
    'tests',
    'ci',
    'machines',
    'servers',
    'choosing',
  ]),
  chapter('learn', { en: 'Learn', zh: '学习' }, [
    'objects',
    'deployments',
    'scheduling',
    'probes',
    'services',
    'storage',
    'access',
    'custom-resources',
    'policies',
    'exercises',
  ]),
  chapter('tour', { en: 'Tour', zh: '导览' }, [
    'README',
    'kubectl',
    'create',
    'list-and-watch',
    'server',
    'deployment',
    'kubelet',
    'scheduling',
    'controllers',
    'leader-election',
    'volumes',
    'kube-proxy',
    'names',
    'exec',
    'extension',
  ]),
  chapter('build', { en: 'Build', zh: '开发' }, [
    'operator',
    'api-servers',
    'scheduler-plugins',
    'programs',
    'faults',
    'other-languages',
  ]),
  {
    ...chapter('reference', { en: 'Reference', zh: '参考' }, [
      'index',
      'commands/coxswain',
      'testing',
      'client',
      'controller',
      'api',
      'changelog',
    ]),
    details: {
      title: { en: 'Exports of the libraries', zh: '库的全部导出' },
      pages: [
        'reference/libraries/coxswain/testing',
        'reference/libraries/coxswain/browser',
        'reference/libraries/@coxswain/client',
        'reference/libraries/@coxswain/client/node',
        'reference/libraries/@coxswain/controller',
        'reference/libraries/@coxswain/controller/node',
      ],
    },
  },
  chapter('trust', { en: 'Trust', zh: '信任' }, ['compatibility', 'performance', 'security', 'limits']),
  chapter('help', { en: 'Help', zh: '帮助' }, [
    'faq',
    'troubleshooting',
    'versions',
    'from-kind',
    'from-envtest',
    'from-client-node',
  ]),
];
