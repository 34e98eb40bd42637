{{- define "blendproof.pod" }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: data
    emptyDir: {}
  - name: cache
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  - name: objects
    emptyDir:
      medium: Memory
      sizeLimit: 512Mi
  - name: cluster-token
    secret:
      secretName: "{{ .Values.clusterSecret }}"
      # 0440
      defaultMode: 288
{{- end }}

{{- define "blendproof.container" }}
image: "{{ .Values.image }}"
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /var/lib/blendproof
  - name: tmp
    mountPath: /tmp
  - name: objects
    mountPath: /dev/shm
  - name: cluster-token
    mountPath: /var/lib/blendproof-cluster
    readOnly: true
{{- end }}

{{- define "blendproof.settings" }}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: BLENDPROOF_CLUSTER
  value: "{{ .Release.Name }}-head:6379"
- name: BLENDPROOF_CLUSTER_TOKEN
  value: /var/lib/blendproof-cluster/token
- name: BLENDPROOF_TRACING
  value: "{{ .Values.tracing }}"
{{- end }}
