/** The tree of commands: names, groups and summaries. The commands themselves are loaded on demand. */
import {
  defaultsOf,
  groupedStyle,
  lazy,
  type Command,
  type CommandNode,
  type LazyCommand,
} from '@coxswain/cobra';
import { command } from './command.ts';
import {
  completeClusters,
  completeContexts,
  completeNamespaces,
  completeUsers,
} from './completion/global.ts';
import type { CommandContext } from './context.ts';
import { globalFlags, type GlobalFlags } from './flags/global.ts';
import { preferencesAreEnabled } from './kuberc/preference-file.ts';
import { languageOf, type Language, type Text } from './i18n/locale.ts';

type Module = Readonly<Record<string, unknown>>;

interface RootCommand {
  readonly name: string;
  readonly short: Text;
  readonly load: () => Promise<Module>;
  /** The name of the export, if it differs from the command's. */
  readonly export?: string;
  /** The export to use instead if the feature of that environment variable is enabled. */
  readonly withFeature?: { readonly variable: string; readonly export: string };
  readonly suggestFor?: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Group {
  readonly heading: Text;
  readonly commands: readonly RootCommand[];
}

const entry = (
  name: string,
  load: () => Promise<Module>,
  en: string,
  zh: string,
  more: Partial<RootCommand> = {},
): RootCommand => ({
  name,
  load,
  short: { en, zh },
  ...more,
});

const pluginsHeading: Text = { en: 'Subcommands provided by plugins:', zh: '插件提供的子命令：' };

/** In the order of upstream's help. */
const groups: readonly Group[] = [
  {
    heading: { en: 'Basic Commands (Beginner):', zh: '基础命令（初级）：' },
    commands: [
      entry(
        'create',
        () => import('./commands/create/create.ts'),
        'Create objects from files or flags',
        '从文件或选项创建对象',
      ),
      entry(
        'expose',
        () => import('./commands/expose.ts'),
        'Create a service for a workload, a pod or another service',
        '为工作负载、Pod 或其他服务创建服务',
      ),
      entry('run', () => import('./commands/run.ts'), 'Run an image as a pod', '以 Pod 运行一个镜像'),
      entry(
        'set',
        () => import('./commands/set/set.ts'),
        'Set specific fields of objects',
        '设置对象的单项属性',
      ),
    ],
  },
  {
    heading: { en: 'Basic Commands (Intermediate):', zh: '基础命令（中级）：' },
    commands: [
      entry(
        'explain',
        () => import('./commands/explain.ts'),
        'Show the documentation of a kind',
        '说明某类资源的各个字段',
      ),
      entry('get', () => import('./commands/get/get.ts'), 'Show objects', '显示对象', {
        suggestFor: ['list', 'ps'],
      }),
      entry('edit', () => import('./commands/edit.ts'), 'Edit objects in an editor', '在编辑器中修改对象'),
      entry(
        'delete',
        () => import('./commands/delete.ts'),
        'Delete objects by file, name or selector',
        '按文件、名称或选择器删除对象',
        { export: 'deleteCommand', suggestFor: ['rm'] },
      ),
    ],
  },
  {
    heading: { en: 'Deploy Commands:', zh: '部署命令：' },
    commands: [
      entry(
        'rollout',
        () => import('./commands/rollout/rollout.ts'),
        'Manage the rollout of a workload',
        '跟踪、回滚或重启工作负载的发布',
      ),
      entry(
        'scale',
        () => import('./commands/scale.ts'),
        'Set the number of replicas of a workload',
        '设置工作负载的副本数',
        { suggestFor: ['resize'] },
      ),
      entry(
        'autoscale',
        () => import('./commands/autoscale.ts'),
        'Scale a workload automatically',
        '让副本数随负载变化',
      ),
    ],
  },
  {
    heading: { en: 'Cluster Management Commands:', zh: '集群管理命令：' },
    commands: [
      entry(
        'certificate',
        () => import('./commands/certificate/certificate.ts'),
        'Approve or deny certificate requests',
        '批准或拒绝证书请求',
      ),
      entry(
        'cluster-info',
        () => import('./commands/cluster-info.ts'),
        'Show the addresses of the cluster',
        '显示集群的地址',
        { export: 'clusterInfo' },
      ),
      entry(
        'top',
        () => import('./commands/top/top.ts'),
        'Show the CPU and memory usage of nodes and pods',
        '显示节点和 Pod 的资源用量',
        { suggestFor: ['stats'] },
      ),
      entry(
        'cordon',
        () => import('./commands/cordon.ts'),
        'Mark a node as unschedulable',
        '将节点标记为不可调度',
      ),
      entry(
        'uncordon',
        () => import('./commands/cordon.ts'),
        'Mark a node as schedulable',
        '将节点标记为可调度',
      ),
      entry('drain', () => import('./commands/drain.ts'), 'Drain a node for maintenance', '清空节点以便维护'),
      entry('taint', () => import('./commands/taint.ts'), 'Change the taints of nodes', '修改节点的污点'),
    ],
  },
  {
    heading: { en: 'Troubleshooting and Debugging Commands:', zh: '排错与调试命令：' },
    commands: [
      entry(
        'describe',
        () => import('./commands/describe.ts'),
        'Show details of objects',
        '显示对象的详情和相关事件',
      ),
      entry('logs', () => import('./commands/logs.ts'), 'Print the logs of containers', '输出容器的日志'),
      entry(
        'attach',
        () => import('./commands/attach.ts'),
        'Attach to a running container',
        '附着到运行中的容器',
      ),
      entry('exec', () => import('./commands/exec.ts'), 'Run a command in a container', '在容器中执行命令'),
      entry(
        'port-forward',
        () => import('./commands/port-forward.ts'),
        'Forward local ports to a pod',
        '将本地端口转发到 Pod',
        { export: 'port-forward' },
      ),
      entry(
        'proxy',
        () => import('./commands/proxy.ts'),
        'Serve the API on a local port',
        '在本地端口提供 API',
      ),
      entry(
        'cp',
        () => import('./commands/cp.ts'),
        'Copy files from and to containers',
        '在容器与本地之间复制文件',
      ),
      entry('auth', () => import('./commands/auth/auth.ts'), 'Inspect authorization', '查询权限'),
      entry(
        'debug',
        () => import('./commands/debug.ts'),
        'Create debugging sessions for workloads and nodes',
        '为工作负载和节点创建调试会话',
      ),
      entry('events', () => import('./commands/events.ts'), 'List events', '列出事件'),
    ],
  },
  {
    heading: { en: 'Advanced Commands:', zh: '高级命令：' },
    commands: [
      entry(
        'diff',
        () => import('./commands/diff.ts'),
        'Compare live objects with what would be applied',
        '比较现状与将要应用的配置',
      ),
      entry(
        'apply',
        () => import('./commands/apply/apply.ts'),
        'Apply a configuration to objects by file',
        '按文件的描述应用配置',
        { withFeature: { variable: 'KUBECTL_APPLYSET', export: 'applyWithSets' } },
      ),
      entry('patch', () => import('./commands/patch.ts'), 'Change fields of an object', '修改对象的字段'),
      entry(
        'replace',
        () => import('./commands/replace.ts'),
        'Replace objects by file',
        '用文件中的对象替换现有对象',
      ),
      entry(
        'wait',
        () => import('./commands/wait.ts'),
        'Wait for a condition of objects',
        '等待对象达到某个状态',
      ),
      entry(
        'kustomize',
        () => import('./commands/kustomize.ts'),
        'Build a kustomization',
        '构建 kustomization',
      ),
    ],
  },
  {
    heading: { en: 'Settings Commands:', zh: '设置命令：' },
    commands: [
      entry('label', () => import('./commands/label.ts'), 'Change the labels of objects', '修改对象的标签'),
      entry(
        'annotate',
        () => import('./commands/annotate.ts'),
        'Change the annotations of objects',
        '修改对象的注解',
      ),
      entry(
        'completion',
        () => import('./commands/completion.ts'),
        'Print the completion script for a shell (bash, zsh, fish, powershell)',
        '输出 shell 的补全脚本（bash、zsh、fish、powershell）',
      ),
    ],
  },
  { heading: pluginsHeading, commands: [] },
  {
    heading: { en: 'Other Commands:', zh: '其他命令：' },
    commands: [
      entry(
        'api-resources',
        () => import('./commands/api-resources.ts'),
        'Print the resources that the server supports',
        '列出服务器支持的资源',
        { export: 'apiResources' },
      ),
      entry(
        'api-versions',
        () => import('./commands/api-versions.ts'),
        'Print the API versions that the server supports',
        '列出服务器支持的 API 版本',
        { export: 'apiVersions' },
      ),
      entry(
        'config',
        () => import('./commands/config/config.ts'),
        'Change kubeconfig files',
        '修改 kubeconfig 文件',
      ),
      entry(
        'kuberc',
        () => import('./commands/kuberc/kuberc.ts'),
        'Change the preferences of kubectl',
        '管理 kubectl 的偏好设置',
      ),
      entry('plugin', () => import('./commands/plugin.ts'), 'Work with plugins', '查看插件'),
      entry(
        'version',
        () => import('./commands/version.ts'),
        'Print the versions of client and server',
        '输出客户端和服务器的版本',
      ),
    ],
  },
];

const about: Text = {
  en: `kubectl controls a Kubernetes cluster from the command line.

 Find more information at: https://kubernetes.io/docs/reference/kubectl/`,
  zh: `kubectl 从命令行控制 Kubernetes 集群。

 更多信息见：https://kubernetes.io/docs/reference/kubectl/`,
};

const stub = (
  { name, short, load, suggestFor, withFeature, ...more }: RootCommand,
  group: Text,
  language: Language,
  env: Environment,
): LazyCommand<CommandContext> => {
  const isOn = withFeature !== undefined && env[withFeature.variable]?.toLowerCase() === 'true';
  const exported = (isOn ? withFeature.export : more.export) ?? name;
  return lazy({
    name,
    short: short[language],
    group: group[language],
    ...(suggestFor === undefined ? {} : { suggestFor }),
    load: async () => (await load())[exported] as Command<CommandContext>,
  });
};

export function rootCommand(env: Environment): Command<CommandContext> {
  const language = languageOf(env);
  const hasPreferences = preferencesAreEnabled(env);
  const { kuberc, ...otherFlags } = globalFlags;
  return command({
    use: 'kubectl',
    long: about[language],
    style: groupedStyle,
    groups: groups.map(({ heading }) => heading[language]),
    async listed() {
      const { listedPlugins } = await import('./plugins/plugin-files.ts');
      return listedPlugins(env, rootCommandNames, pluginsHeading[language]);
    },
    persistentFlags: {
      ...(hasPreferences ? { ...otherFlags, kuberc } : otherFlags),
      cacheDir: { ...globalFlags.cacheDir, shownDefault: `${env['HOME'] ?? ''}/.kube/cache` },
      cluster: { ...globalFlags.cluster, complete: completeClusters },
      context: { ...globalFlags.context, complete: completeContexts },
      namespace: { ...globalFlags.namespace, complete: completeNamespaces },
      user: { ...globalFlags.user, complete: completeUsers },
    },
    commands: [
      ...groups.flatMap(({ heading, commands }) =>
        commands
          .filter(({ name }) => name !== 'kuberc' || hasPreferences)
          .map((one) => stub(one, heading, language, env)),
      ),
      // Not in upstream: a plugin of the same name takes precedence, and the help is upstream's.
      lazy({ name: 'blame', short: '', load: async () => (await import('./commands/blame.ts')).blame }),
      lazy({ name: 'tree', short: '', load: async () => (await import('./commands/tree.ts')).tree }),
      lazy({
        name: 'alpha',
        short: '',
        hidden: true,
        load: async () => (await import('./commands/alpha.ts')).alpha,
      }),
      lazy({ name: 'options', short: '', load: async () => (await import('./commands/options.ts')).options }),
    ],
    async persistentPreRun({ context, node }) {
      context.configure(globalsOf(node));
      if (node.flags.lookup('record')?.value !== true) return;
      const { changeCauseOf } = await import('./record/change-cause.ts');
      context.changeCause = changeCauseOf(node.flags, context.words);
    },
    persistentPostRun({ context, flags }) {
      if (!flags.warningsAsErrors || context.warnings === 0) return;
      throw new Error(`${context.warnings} warning${context.warnings === 1 ? '' : 's'} received`);
    },
    async run(invocation) {
      invocation.io.out.write(await invocation.help());
    },
  });
}

/** Returns the global options; if a command redefines one, the global one keeps its default. */
function globalsOf(node: CommandNode<CommandContext>): GlobalFlags {
  const values: Record<string, unknown> = defaultsOf(globalFlags);
  for (const { key, origin, value } of node.flags.declared()) if (origin !== 'local') values[key] = value;
  return values as unknown as GlobalFlags;
}

/** The top-level names, to distinguish commands from plugins without loading any. */
export const rootCommandNames: readonly string[] = [
  ...groups.flatMap(({ commands }) => commands.map(({ name }) => name)),
  'alpha',
  'options',
  'help',
  '__complete',
  '__completeNoDesc',
];
