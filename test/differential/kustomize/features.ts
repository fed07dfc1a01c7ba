/** Parts of an overlay's kustomization, to be used alone and together. Files are beside the overlay. */

export interface Feature {
  readonly name: string;
  /** Lines of kustomization.yaml. */
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Top-level fields that it takes, so that no two of a combination have the same. */
  readonly fields?: readonly string[];
}

const feature = (name: string, text: string, files: Readonly<Record<string, string>> = {}): Feature => ({
  name,
  text,
  files,
  fields: [...text.matchAll(/^([A-Za-z0-9]+):/gm)].map((match) => match[1] as string),
});

const patch = (name: string, target: string, body: string, more = ''): Feature =>
  feature(
    name,
    `patches:\n- ${target === '' ? '' : `target: {${target}}\n  `}patch: |-\n${body.replace(/^/gm, '    ')}\n${more}`,
  );

const deploymentPatch = (spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n${spec.replace(/^/gm, '  ')}`;
const podPatch = (spec: string): string =>
  deploymentPatch(`template:\n  spec:\n${spec.replace(/^/gm, '    ')}`);

const replacement = (name: string, source: string, target: string): Feature =>
  feature(name, `replacements:\n- source: {${source}}\n  targets:\n  - ${target.replace(/\n/g, '\n    ')}\n`);

export const features: readonly Feature[] = [
  feature('namePrefix', 'namePrefix: p-\n'),
  feature('nameSuffix', 'nameSuffix: -s\n'),
  feature('numericPrefix', 'namePrefix: "1"\n'),
  feature('namespace', 'namespace: team\n'),
  feature('namespaceDefault', 'namespace: default\n'),
  feature('namespaceNumber', 'namespace: "12"\n'),
  feature('commonLabels', 'commonLabels: {a: b, app: over}\n'),
  feature('commonLabelsOdd', 'commonLabels: {a: "1", b: "true", c: "null", d: "1e3", e: "yes"}\n'),
  feature('labels', 'labels:\n- pairs: {l: m}\n'),
  feature(
    'labelsSelectors',
    'labels:\n- pairs: {l: m}\n  includeSelectors: true\n- pairs: {l: n, z: "on"}\n',
  ),
  feature('labelsTemplates', 'labels:\n- pairs: {l: m}\n  includeTemplates: true\n'),
  feature(
    'labelsFields',
    'labels:\n- pairs: {l: m}\n  fields:\n  - {path: spec/extra, kind: Widget, create: true}\n',
  ),
  feature('commonAnnotations', 'commonAnnotations: {note: "yes", a.b/c: "1"}\n'),
  feature(
    'images',
    'images:\n- {name: nginx, newName: my/nginx, newTag: "2"}\n- {name: busybox, digest: "sha256:0123"}\n',
  ),
  feature('imagesRegistry', 'images:\n- {name: "registry.example.com:5000/busy/box", newTag: v2}\n'),
  feature('imagesSuffix', 'images:\n- {name: nginx, tagSuffix: -alpine}\n- {name: side, tagSuffix: -x}\n'),
  feature(
    'imagesBoth',
    'images:\n- {name: nginx, newTag: "2", digest: "sha256:ab"}\n- {name: "post.*", newName: q}\n',
  ),
  feature('imagesName', 'images:\n- {name: nginx, newName: other}\n- {name: other, newTag: "3"}\n'),
  feature('replicas', 'replicas:\n- {name: web, count: 5}\n- {name: db, count: 0}\n'),
  feature('replicasMissing', 'replicas:\n- {name: nobody, count: 5}\n'),
  patch(
    'smAdd',
    '',
    podPatch(
      'containers:\n- name: main\n  env:\n  - {name: NEW, value: "2"}\n  - {name: KEEP, value: other}\n- name: third\n  image: third:1',
    ),
  ),
  patch(
    'smDeleteItem',
    '',
    podPatch('containers:\n- name: side\n  $patch: delete\nvolumes:\n- name: s\n  $patch: delete'),
  ),
  patch('smReplaceList', '', podPatch('containers:\n- $patch: replace\n- {name: only, image: only}')),
  patch('smReplaceMap', '', podPatch('$patch: replace\ncontainers: [{name: only, image: only}]')),
  patch('smNull', '', deploymentPatch('replicas: null\nselector: null\ntemplate: {spec: {volumes: null}}')),
  patch(
    'smPorts',
    '',
    podPatch(
      'containers:\n- name: main\n  ports:\n  - {containerPort: 80, protocol: UDP, hostPort: 1}\n  - {containerPort: 81}',
    ),
  ),
  patch(
    'smPortsTcp',
    '',
    podPatch('containers:\n- name: main\n  ports:\n  - {containerPort: 80, protocol: TCP, hostPort: 1}'),
  ),
  patch(
    'smService',
    '',
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n  - {port: 80, protocol: TCP, nodePort: 30000}\n  - {port: 443, name: tls}',
  ),
  patch('smDelete', '', 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n$patch: delete'),
  patch(
    'smFinalizers',
    '',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  finalizers: [a, b]\n  labels: {tier: null, new: "1"}\n  annotations: {note: null}',
  ),
  patch(
    'smMount',
    '',
    podPatch(
      'containers:\n- name: main\n  volumeMounts:\n  - {name: other, mountPath: /s}\n  - {name: s, mountPath: /t}\n  command: [a, b]\n  resources: {limits: {cpu: 1}, requests: {memory: 1.5}}',
    ),
  ),
  patch(
    'smWidget',
    '',
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  parts: [{name: b, v: 9}]\n  ok: null\n  new: {x: [1, 2.50, 1e3, 0x10, 010, 1_000]}',
  ),
  patch('smUnknownDirective', '', podPatch('$patch: what')),
  patch('smMerge', '', podPatch('$patch: merge\ncontainers:\n- $patch: merge\n- {name: main, image: x}')),
  patch(
    'smTarget',
    'kind: Deployment',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: any, labels: {t: u}}\nspec: {paused: true}',
  ),
  patch('smTargetAll', 'name: ".*"', 'apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: {all: "1"}}'),
  patch(
    'smTargetRename',
    'kind: Service',
    'apiVersion: v1\nkind: Service\nmetadata: {name: renamed}',
    '  options: {allowNameChange: true}\n',
  ),
  patch('smTargetNoRename', 'kind: Service', 'apiVersion: v1\nkind: Service\nmetadata: {name: renamed}'),
  patch(
    'smTargetKind',
    'kind: Service',
    'apiVersion: v1\nkind: Other\nmetadata: {name: renamed}',
    '  options: {allowKindChange: true}\n',
  ),
  patch(
    'smTargetBoth',
    'kind: Deployment',
    'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: dae}',
    '  options: {allowKindChange: true, allowNameChange: true}\n',
  ),
  patch(
    'smTwo',
    '',
    `${deploymentPatch('paused: true')}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: NodePort}`,
  ),
  patch(
    'smTwoTarget',
    'kind: Deployment',
    `${deploymentPatch('paused: true')}\n---\n${deploymentPatch('paused: false')}`,
  ),
  patch('smMissing', '', 'apiVersion: v1\nkind: Nope\nmetadata: {name: zz}'),
  patch(
    'smWrongNamespace',
    '',
    'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: elsewhere}\nspec: {type: NodePort}',
  ),
  patch('smWrongType', '', deploymentPatch('template: text')),
  patch('smWrongList', '', deploymentPatch('template: {spec: {containers: {a: b}}}')),
  patch(
    'jsonOps',
    'kind: Deployment, name: web',
    '- {op: replace, path: /spec/replicas, value: 7}\n- {op: add, path: /spec/template/spec/containers/-, value: {name: n, image: m}}\n- {op: remove, path: /metadata/labels/tier}\n- {op: add, path: /metadata/annotations/a~1b, value: "true"}\n- {op: copy, from: /spec/replicas, path: /spec/revisionHistoryLimit}\n- {op: move, from: /spec/template/spec/volumes/0, path: /spec/template/spec/volumes/1}\n- {op: test, path: /spec/replicas, value: 7}',
  ),
  patch('jsonText', 'kind: Service', '[{"op": "add", "path": "/spec/type", "value": "NodePort"}]'),
  patch('jsonRename', 'kind: Service', '- {op: replace, path: /metadata/name, value: renamed}'),
  patch('jsonRenameMap', 'kind: ServiceAccount', '- {op: replace, path: /metadata/name, value: renamed}'),
  patch('jsonAnnotations', 'kind: Deployment', '- {op: add, path: /metadata/annotations, value: {x: y}}'),
  patch('jsonRemoveMissing', 'kind: Deployment', '- {op: remove, path: /spec/none}'),
  patch('jsonMissingPath', 'kind: Deployment', '- {op: add, path: /spec/none/deep, value: 1}'),
  patch('jsonReplaceMissing', 'kind: Deployment', '- {op: replace, path: /spec/none, value: 1}'),
  patch('jsonIndex', 'kind: Deployment', '- {op: add, path: /spec/template/spec/containers/9, value: 1}'),
  patch('jsonIndexText', 'kind: Deployment', '- {op: add, path: /spec/template/spec/containers/x, value: 1}'),
  patch('jsonTest', 'kind: Deployment', '- {op: test, path: /spec/replicas, value: 9}'),
  patch('jsonKind', 'kind: Deployment', '- {op: frobnicate, path: /spec/replicas, value: 9}'),
  patch('jsonNoPath', 'kind: Deployment', '- {op: add, value: 9}'),
  patch('jsonNoTarget', '', '- {op: add, path: /a, value: 9}'),
  patch('jsonNothing', 'kind: Nobody', '- {op: remove, path: /spec/none}'),
  patch(
    'jsonNumbers',
    'kind: Widget',
    '- {op: add, path: /spec/f, value: 1.0}\n- {op: add, path: /spec/g, value: 1e21}\n- {op: add, path: /spec/h, value: 0.000001}\n- {op: add, path: /spec/i, value: null}\n- {op: add, path: /spec/j, value: 10000000}',
  ),
  patch('neither', '', 'just text'),
  patch('neitherList', '', '- a\n- b'),
  patch('emptyPatch', '', ''),
  patch('regexBad', 'kind: "De(p"', '- {op: remove, path: /spec/none}'),
  patch(
    'regexGroup',
    'group: "apps|batch", version: v.',
    '- {op: add, path: /metadata/annotations, value: {g: h}}',
  ),
  patch(
    'selectLabel',
    'labelSelector: "tier in (front,back),!none"',
    '- {op: add, path: /spec/paused, value: true}',
  ),
  patch('selectLabelBad', 'labelSelector: "tier in front"', '- {op: add, path: /spec/paused, value: true}'),
  patch('selectAnnotation', 'annotationSelector: note=1', '- {op: add, path: /spec/paused, value: true}'),
  patch(
    'selectNamespace',
    'kind: Deployment, namespace: default',
    '- {op: add, path: /spec/paused, value: true}',
  ),
  patch(
    'selectNamespaceNone',
    'kind: Deployment, namespace: nowhere',
    '- {op: add, path: /spec/paused, value: true}',
  ),
  feature('patchFile', 'patches:\n- path: p.yaml\n', { 'p.yaml': deploymentPatch('paused: true') }),
  feature('patchFileMissing', 'patches:\n- path: none.yaml\n'),
  feature('patchBoth', 'patches:\n- path: none.yaml\n  patch: "- a"\n'),
  feature('patchNone', 'patches:\n- target: {kind: Deployment}\n'),
  feature(
    'patchesStrategicMerge',
    'patchesStrategicMerge:\n- p.yaml\n- |-\n  apiVersion: v1\n  kind: Service\n  metadata: {name: web}\n  spec: {type: NodePort}\n',
    { 'p.yaml': deploymentPatch('paused: true') },
  ),
  feature('patchesStrategicMergeMissing', 'patchesStrategicMerge: [none.yaml]\n'),
  feature(
    'patchesStrategicMergeNoTarget',
    'patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: Service\n  metadata: {name: zz}\n',
  ),
  feature(
    'patchesJson6902',
    'patchesJson6902:\n- target: {version: v1, kind: Service, name: web}\n  patch: |-\n    - {op: add, path: /spec/type, value: NodePort}\n- target: {kind: Deployment, name: web}\n  path: j.json\n',
    { 'j.json': '[{"op":"remove","path":"/spec/replicas"}]' },
  ),
  feature(
    'patchesJson6902NoName',
    'patchesJson6902:\n- target: {version: v1, kind: Service}\n  patch: "[]"\n',
  ),
  feature('patchesJson6902Empty', 'patchesJson6902:\n- target: {kind: Service, name: web}\n  patch: "[]"\n'),
  feature('patchesJson6902Neither', 'patchesJson6902:\n- target: {kind: Service, name: web}\n'),
  replacement(
    'repPort',
    'kind: Service, name: web, fieldPath: spec.ports.0.port',
    'select: {kind: Deployment}\nfieldPaths: ["spec.template.spec.containers.[name=main].env.[name=KEEP].value", "spec.replicas"]',
  ),
  replacement(
    'repName',
    'kind: Deployment, fieldPath: metadata.name',
    'select: {kind: Service}\nfieldPaths: [metadata.annotations.owner]\noptions: {create: true}',
  ),
  replacement('repDefault', 'kind: ServiceAccount', 'select: {kind: Service}'),
  replacement(
    'repNoCreate',
    'kind: Deployment',
    'select: {kind: Service}\nfieldPaths: [metadata.annotations.owner]',
  ),
  replacement(
    'repDelimiter',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: [spec.template.spec.containers.0.image]\noptions: {delimiter: ":", index: 1}',
  ),
  replacement(
    'repDelimiterEnds',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: [spec.template.spec.containers.0.image]\noptions: {delimiter: ":", index: -1}\n',
  ),
  replacement(
    'repDelimiterAfter',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: [spec.template.spec.containers.0.image]\noptions: {delimiter: ":", index: 9}\n',
  ),
  replacement(
    'repSourcePiece',
    'kind: Deployment, fieldPath: spec.template.spec.containers.0.image, options: {delimiter: ":", index: 1}',
    'select: {kind: Service}\nfieldPaths: [metadata.labels.version]\noptions: {create: true}',
  ),
  replacement(
    'repSourceBounds',
    'kind: Deployment, fieldPath: spec.template.spec.containers.0.image, options: {delimiter: ":", index: 7}',
    'select: {kind: Service}',
  ),
  replacement(
    'repMap',
    'kind: Deployment, fieldPath: metadata.labels',
    'select: {kind: Service}\nfieldPaths: [spec.selector]',
  ),
  replacement(
    'repMapDelimiter',
    'kind: Deployment, fieldPath: metadata.labels, options: {delimiter: "-"}',
    'select: {kind: Service}\nfieldPaths: [spec.selector]',
  ),
  replacement(
    'repWildcard',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: ["spec.template.spec.containers.*.image"]',
  ),
  replacement(
    'repReject',
    'kind: ServiceAccount',
    'select: {name: web}\nreject: [{kind: Service}, {labelSelector: tier=front}]\nfieldPaths: [metadata.labels.r]\noptions: {create: true}',
  ),
  replacement(
    'repRegex',
    'kind: ServiceAccount',
    'select: {kind: "Dep.*|Stateful.*"}\nfieldPaths: [metadata.labels.r]\noptions: {create: true}',
  ),
  replacement('repNothing', 'kind: Nobody', 'select: {kind: Service}'),
  replacement('repMany', 'name: web', 'select: {kind: Service}'),
  replacement('repNoField', 'kind: Service, name: web, fieldPath: spec.none', 'select: {kind: Deployment}'),
  replacement('repNoTargets', 'kind: Service', 'select: {kind: Nobody}\nfieldPaths: [a.b]'),
  replacement(
    'repIndex',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: [spec.template.spec.containers.7.image]',
  ),
  replacement(
    'repListCreate',
    'kind: Service',
    'select: {kind: Deployment}\nfieldPaths: ["spec.template.spec.containers.[name=new].image"]\noptions: {create: true}',
  ),
  replacement(
    'repText',
    'kind: ConfigMap, name: odd, fieldPath: data.num',
    'select: {kind: ConfigMap, name: odd}\nfieldPaths: ["data.config\\\\.yaml.server.port"]',
  ),
  replacement(
    'repJsonText',
    'kind: Service, fieldPath: metadata.name',
    'select: {kind: ConfigMap, name: odd}\nfieldPaths: ["data.config\\\\.json.server.port"]',
  ),
  replacement(
    'repTextList',
    'kind: Service, fieldPath: metadata.name',
    'select: {kind: ConfigMap, name: odd}\nfieldPaths: ["data.config\\\\.yaml.server.hosts.[name=a].url"]',
  ),
  replacement(
    'repKeyDots',
    'kind: Service, fieldPath: metadata.name',
    'select: {kind: Deployment}\nfieldPaths: ["metadata.labels.[app.kubernetes.io/part-of]", "metadata.labels.app\\\\.kubernetes\\\\.io/part-of"]',
  ),
  replacement('repThrough', 'kind: Service', 'select: {kind: Deployment}\nfieldPaths: [spec.replicas.x]'),
  replacement(
    'repNumber',
    'kind: Deployment, fieldPath: spec.replicas',
    'select: {kind: ConfigMap, name: odd}\nfieldPaths: [data.num, data.new]\noptions: {create: true}',
  ),
  replacement(
    'repStringToNumber',
    'kind: ConfigMap, name: odd, fieldPath: data.block',
    'select: {kind: Deployment}\nfieldPaths: [spec.replicas]',
  ),
  feature('repNoSource', 'replacements:\n- targets: [{select: {kind: Service}}]\n'),
  feature('repNoTargetList', 'replacements:\n- source: {kind: Service}\n'),
  feature(
    'repSourceValue',
    'replacements:\n- sourceValue: "7"\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]\n',
  ),
  feature('repSelectMissing', 'replacements:\n- source: {kind: Service}\n  targets: [{fieldPaths: [a]}]\n'),
  feature('repFile', 'replacements:\n- path: r.yaml\n', {
    'r.yaml':
      'source: {kind: Service}\ntargets:\n- select: {kind: Deployment}\n  fieldPaths: [metadata.labels.tier]\n',
  }),
  feature('repFileList', 'replacements:\n- path: r.yaml\n', {
    'r.yaml':
      '- source: {kind: Service}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.labels.tier]\n',
  }),
  feature('repFileText', 'replacements:\n- path: r.yaml\n', { 'r.yaml': 'text\n' }),
  feature('repFileBoth', 'replacements:\n- path: r.yaml\n  source: {kind: Service}\n', {
    'r.yaml': 'text\n',
  }),
  feature('vars', 'vars:\n- name: SVC\n  objref: {apiVersion: v1, kind: Service, name: web}\n'),
  feature(
    'varsPort',
    'vars:\n- name: SVC\n  objref: {apiVersion: v1, kind: Service, name: web}\n  fieldref: {fieldPath: "spec.ports[0].port"}\n',
  ),
  feature('varsUnused', 'vars:\n- name: OTHER\n  objref: {apiVersion: v1, kind: Service, name: web}\n'),
  feature('varsMissing', 'vars:\n- name: SVC\n  objref: {apiVersion: v1, kind: Service, name: nobody}\n'),
  feature(
    'varsNoField',
    'vars:\n- name: SVC\n  objref: {apiVersion: v1, kind: Service, name: web}\n  fieldref: {fieldPath: spec.none}\n',
  ),
  feature(
    'varsTwice',
    'vars:\n- name: SVC\n  objref: {apiVersion: v1, kind: Service, name: web}\n- name: SVC\n  objref: {apiVersion: v1, kind: ServiceAccount, name: runner}\n',
  ),
  feature(
    'generatorMerge',
    'configMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [A=9, "B=two words", C="quoted"]\n',
  ),
  feature(
    'generatorReplace',
    'configMapGenerator:\n- name: settings\n  behavior: replace\n  literals: [Z=9]\n',
  ),
  feature(
    'generatorCreateAgain',
    'configMapGenerator:\n- name: settings\n  behavior: create\n  literals: [Z=9]\n',
  ),
  feature('generatorAgain', 'configMapGenerator:\n- name: settings\n  literals: [Z=9]\n'),
  feature(
    'generatorFiles',
    'configMapGenerator:\n- name: more\n  files: [conf.ini, renamed.txt=conf.ini, bin.dat]\n  envs: [vars.env]\n',
    { 'conf.ini': '[x]\ny=z\n', 'vars.env': 'V=1\n#c\n\n  W=2=3\nNOVALUE\n', 'bin.dat': '\u00ff' },
  ),
  feature('generatorEnv', 'configMapGenerator:\n- name: more\n  env: vars.env\n', {
    'vars.env': '\ufeffV="q"\r\nW= x\n',
  }),
  feature(
    'generatorOptions',
    'generatorOptions:\n  labels: {g: h}\n  annotations: {made: "true"}\nconfigMapGenerator:\n- name: more\n  literals: [x=y]\n  options: {labels: {g: own}, immutable: true}\n- name: plain\n  literals: [x=y]\n  options: {disableNameSuffixHash: true}\n',
  ),
  feature(
    'generatorGlobal',
    'generatorOptions: {disableNameSuffixHash: true, immutable: true}\nconfigMapGenerator:\n- {name: more, literals: [x=y], namespace: elsewhere}\n',
  ),
  feature(
    'generatorOddValues',
    'configMapGenerator:\n- name: more\n  literals: [a=1, b=true, c=, d=null, e=1e3, f=~, g=yes, h=2020-01-01, i=0x1, "j= x", "k=a: b", "10=x", "9=y"]\n',
  ),
  feature('generatorEmpty', 'configMapGenerator:\n- name: more\n'),
  feature('generatorNoName', 'configMapGenerator:\n- literals: [a=b]\n'),
  feature('generatorBadLiteral', 'configMapGenerator:\n- name: more\n  literals: [a]\n'),
  feature('generatorBadLiteral2', 'configMapGenerator:\n- name: more\n  literals: ["=a"]\n'),
  feature('generatorTwiceKey', 'configMapGenerator:\n- name: more\n  literals: [a=1, a=2]\n'),
  feature('generatorNoFile', 'configMapGenerator:\n- name: more\n  files: [none.txt]\n'),
  feature('generatorNoEnv', 'configMapGenerator:\n- name: more\n  envs: [none.txt]\n'),
  feature('generatorBadFile', 'configMapGenerator:\n- name: more\n  files: ["=none.txt"]\n'),
  feature('generatorBadFile2', 'configMapGenerator:\n- name: more\n  files: ["a="]\n'),
  feature('generatorBadFile3', 'configMapGenerator:\n- name: more\n  files: ["a=b=c"]\n'),
  feature('generatorOutside', 'configMapGenerator:\n- name: more\n  files: [../base/deployment.yaml]\n'),
  feature(
    'generatorMergeMissing',
    'configMapGenerator:\n- {name: nobody, behavior: merge, literals: [a=b]}\n',
  ),
  feature(
    'secret',
    `secretGenerator:\n- name: more\n  type: kubernetes.io/tls\n  literals: [a=${'x'.repeat(80)}, b=]\n`,
  ),
  feature('secretMerge', 'secretGenerator:\n- {name: creds, behavior: merge, literals: [n=o]}\n'),
  feature('component', 'components: [../comp]\n'),
  feature('sortFifo', 'sortOptions: {order: fifo}\n'),
  feature(
    'sortLegacy',
    'sortOptions:\n  order: legacy\n  legacySortOptions: {orderFirst: [Service, Deployment], orderLast: [Namespace, ConfigMap]}\n',
  ),
  feature('sortBad', 'sortOptions: {order: random}\n'),
  feature('sortFifoOptions', 'sortOptions: {order: fifo, legacySortOptions: {orderFirst: [A]}}\n'),
  feature('buildMetadata', 'buildMetadata: [originAnnotations, managedByLabel, transformerAnnotations]\n'),
  feature('buildOrigins', 'buildMetadata: [originAnnotations]\n'),
  feature('configurations', 'configurations: [c.yaml]\n', {
    'c.yaml':
      'nameReference:\n- kind: ConfigMap\n  version: v1\n  fieldSpecs:\n  - {kind: Widget, path: spec/config/name}\nnamePrefix:\n- {path: spec/prefixed, kind: Widget}\ncommonLabels:\n- {path: spec/labels, kind: Widget, create: true}\nimages:\n- {path: spec/image, kind: Widget}\nreplicas:\n- {path: spec/size, kind: Widget, create: true}\n',
  }),
  feature('configurationsUnknown', 'configurations: [c.yaml]\n', { 'c.yaml': 'nameReferences: []\n' }),
  feature('configurationsConflict', 'configurations: [c.yaml]\n', {
    'c.yaml': 'namePrefix:\n- {path: metadata/name, create: true}\n',
  }),
  feature('transformers', 'transformers: [t.yaml]\n', {
    't.yaml':
      'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name}]\n---\napiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {x: 1}\nfieldSpecs: [{path: metadata/labels, create: true}]\n',
  }),
  feature(
    'transformersInline',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: NamespaceTransformer\n  metadata: {name: n, namespace: inline}\n  setRoleBindingSubjects: allServiceAccounts\n  unsetOnly: true\n',
  ),
  feature(
    'transformersExternal',
    'transformers:\n- |-\n  apiVersion: example.com/v1\n  kind: Mine\n  metadata: {name: n}\n',
  ),
  feature(
    'transformersUnknown',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: Mine\n  metadata: {name: n}\n',
  ),
  feature(
    'transformersNoSpecs',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: SuffixTransformer\n  metadata: {name: n}\n  suffix: x\n',
  ),
  feature('transformersMissing', 'transformers: [none.yaml]\n'),
  feature(
    'transformersGenerator',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: n}\n',
  ),
  feature(
    'patchTransformer',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: n}\n  target: {kind: Deployment}\n  patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/spec/paused\\", \\"value\\": true}]"\n',
  ),
  feature(
    'replicaTransformer',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: ReplicaCountTransformer\n  metadata: {name: n}\n  replica: {name: web, count: 8}\n  fieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]\n',
  ),
  feature(
    'valueAdd',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: ValueAddTransformer\n  metadata: {name: n}\n  value: /added/\n  targets:\n  - selector: {kind: Widget}\n    fieldPath: spec/path\n    filePathPosition: 2\n  - fieldPath: metadata/namespace\n',
  ),
  feature('generators', 'generators: [g.yaml]\n', {
    'g.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: gen}\nliterals: [a=b]\n---\napiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: gens, namespace: x}\nliterals: [a=b]\ntype: T\n',
  }),
  feature(
    'generatorsBad',
    'generators:\n- |-\n  apiVersion: builtin\n  kind: LabelTransformer\n  metadata: {name: n}\n',
  ),
  feature(
    'validators',
    'validators:\n- |-\n  apiVersion: builtin\n  kind: LabelTransformer\n  metadata: {name: n}\n  labels: {validated-by: me}\n  fieldSpecs: [{path: metadata/labels, create: true}]\n',
  ),
  feature('helm', 'helmCharts:\n- name: chart\n  repo: https://example.com\n  version: 1.0.0\n'),
  feature('crds', 'crds: [crd.json]\n', {
    'crd.json':
      '{"example.com.Widget": {"Schema": {"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {}, "spec": {"$ref": "example.com.WidgetSpec"}}}}, "example.com.WidgetSpec": {"Schema": {"properties": {"config": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap"}}}}}',
  }),
  feature(
    'openapi',
    'openapi: {path: schema.json}\npatches:\n- patch: |-\n    apiVersion: example.com/v1\n    kind: Widget\n    metadata: {name: w}\n    spec:\n      parts: [{name: b, v: 9}]\n',
    {
      'schema.json':
        '{"definitions": {"w": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"parts": {"type": "array", "items": {"type": "object"}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}, "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}]}}}',
    },
  ),
  feature('openapiVersion', 'openapi: {version: v1.0.0}\n'),
  feature('localConfig', 'commonAnnotations: {config.kubernetes.io/local-config: "true"}\n'),
  feature('metadata', 'metadata: {name: k, labels: {a: b}}\n'),
];
