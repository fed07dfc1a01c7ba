{{- define "coxswain.name" -}}
{{- printf "%s-coxswain" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- define "coxswain.selector" -}}
app.kubernetes.io/name: coxswain
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "coxswain.labels" -}}
{{ include "coxswain.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
