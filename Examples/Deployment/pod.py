#!/usr/bin/env python3
"""Writes what `check` needs of kubernetes.yaml to start its container as a kubelet would.

pod.py MANIFEST DIRECTORY: writes there `trackers.json`, the document; `environment`, a line NAME=VALUE for each variable; `user`,
the user's and the group's number; `probe`, the port and the path of the readiness probe; and `mounts`, a line for each volume: its
kind, its size in MiB or 0, its path.
"""

import pathlib
import re
import sys

import yaml

manifest, directory = sys.argv[1], pathlib.Path(sys.argv[2])
with open(manifest, encoding="utf-8") as file:
    objects = {item["kind"]: item for item in yaml.safe_load_all(file)}
pod = objects["StatefulSet"]["spec"]["template"]["spec"]
[container] = pod["containers"]
fields = {"metadata.name": objects["StatefulSet"]["metadata"]["name"] + "-0"}
sizes = {}
for volume in pod["volumes"]:
    if "configMap" in volume:
        assert volume["configMap"]["name"] == objects["ConfigMap"]["metadata"]["name"], "another ConfigMap is mounted"
        sizes[volume["name"]] = "document 0"
    else:
        sizes[volume["name"]] = "memory " + re.fullmatch(r"(\d+)Mi", volume["emptyDir"]["sizeLimit"])[1]
for claim in objects["StatefulSet"]["spec"]["volumeClaimTemplates"]:
    sizes[claim["metadata"]["name"]] = "disk 0"
ports = {port["name"]: port["containerPort"] for port in container["ports"]}
probe = container["readinessProbe"]["httpGet"]
security = container["securityContext"]
assert security["readOnlyRootFilesystem"] and security["capabilities"]["drop"] == ["ALL"], "the container is not confined"


def write(name, *lines):
    (directory / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


write("trackers.json", objects["ConfigMap"]["data"]["trackers.json"].rstrip())
write("environment", *(
    f"{entry['name']}={entry['value'] if 'value' in entry else fields[entry['valueFrom']['fieldRef']['fieldPath']]}"
    for entry in container["env"]))
write("user", f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['fsGroup']}")
write("probe", f"{ports[probe['port']]}{probe['path']}")
write("mounts", *(f"{sizes[mount['name']]} {mount['mountPath']}" for mount in container["volumeMounts"]))
