apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-cfg}
data:
  greeting: {{ .Values.greeting | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  crds: {{ .Capabilities.APIVersions.Has "apiextensions.k8s.io/v1/CustomResourceDefinition" | quote }}
  widget: {{ .Capabilities.APIVersions.Has "try.example/v1/Widget" | quote }}
  existing: {{ (lookup "v1" "ConfigMap" .Release.Namespace "existing").data | toJson | quote }}
  namespaces: {{ (lookup "v1" "Namespace" "" "").items | default list | len | lt 0 | quote }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-web, labels: {app: {{ .Release.Name }}}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}, annotations: {greeting: {{ .Values.greeting | quote }}}}
    spec:
      containers:
      - {name: web, image: nginx, ports: [{containerPort: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}-web}
spec: {selector: {app: {{ .Release.Name }}}, ports: [{port: 80}]}
---
apiVersion: try.example/v1
kind: Widget
metadata: {name: {{ .Release.Name }}}
spec: {}
{{- if .Values.broken }}
---
apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}-Broken"}
spec: {ports: [{port: 99999}]}
{{- end }}
