"""How git is started, always: an environment of our own making and settings that a repository cannot override.

A repository's own configuration is hostile until shown otherwise: with it a planted file can name programs that git
runs on the simplest call. Settings travel in ``GIT_CONFIG_*`` variables, which win over every file and reach the
git processes that git starts; what can hide under a free name (a filter, a merge driver) is overridden by name.
"""

import os
from collections.abc import Iterable, Mapping

NULL = os.devnull
NAME = "slowwave"
ADDRESS = "slowwave@localhost"

SETTINGS: tuple[tuple[str, str], ...] = (
    # Nothing of the repository's is run.
    ("core.hooksPath", NULL),
    ("core.fsmonitor", "false"),
    ("core.editor", "false"),
    ("core.pager", "cat"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.alternateRefsCommand", "false"),
    ("credential.helper", ""),
    ("sequence.editor", "false"),
    ("diff.external", ""),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.ssh.defaultKeyCommand", "false"),
    ("gpg.x509.program", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    # Bytes stay as they are.
    ("core.autocrlf", "false"),
    ("core.eol", "lf"),
    ("core.safecrlf", "false"),
    ("core.attributesFile", NULL),
    ("core.excludesFile", NULL),
    ("core.quotePath", "true"),
    ("core.untrackedCache", "false"),
    ("core.protectNTFS", "true"),
    ("core.protectHFS", "true"),
    ("core.sharedRepository", "umask"),
    ("i18n.commitEncoding", "UTF-8"),
    ("i18n.logOutputEncoding", "UTF-8"),
    # What git has acknowledged is on the disk: by default it flushes nothing of a commit.
    ("core.fsync", "all"),
    ("core.fsyncMethod", "fsync"),
    ("core.logAllRefUpdates", "true"),
    # Checks that a repository may not soften.
    ("fsck.skipList", NULL),
    ("transfer.fsckObjects", "true"),
    ("advice.detachedHead", "false"),
    ("advice.graftFileDeprecated", "false"),
    ("init.defaultBranch", "main"),
    ("init.templateDir", ""),
    ("fastimport.unpackLimit", "0"),
    ("user.name", NAME),
    ("user.email", ADDRESS),
)

_BY_NAME: Mapping[tuple[str, str], str] = {
    ("filter", "clean"): "",
    ("filter", "smudge"): "",
    ("filter", "process"): "",
    ("filter", "required"): "false",
    ("diff", "textconv"): "",
    ("diff", "command"): "",
    ("merge", "driver"): "false",
    ("trailer", "command"): "true",
    ("trailer", "cmd"): "true",
    ("hook", "command"): "true",
    ("hook", "enabled"): "false",
    ("credential", "helper"): "",
    ("protocol", "allow"): "never",
}


def neutral(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Overrides for the settings of these names that would run a program or open a connection."""
    found: dict[str, str] = {}
    for name in names:
        section, _, rest = name.partition(".")
        between, _, key = rest.rpartition(".")
        value = _BY_NAME.get((section.lower(), key.lower()))
        if value is not None and between:
            found[name] = value
        if section.lower() == "hook" and between:
            found[f"{section}.{between}.enabled"] = "false"
    return tuple(sorted(found.items()))


def build_environment(given: Mapping[str, str], settings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """All that git sees of the outside: the search path, where temporary files go, and our settings."""
    kept = {name: given[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT", "TEMP", "TMP") if name in given}
    fixed = {
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "",
        "TZ": "UTC",
        "HOME": NULL,
        "XDG_CONFIG_HOME": NULL,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": NULL,
        "GIT_CONFIG_GLOBAL": NULL,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "GIT_EDITOR": "false",
        "GIT_SEQUENCE_EDITOR": "false",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": NULL,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_LITERAL_PATHSPECS": "1",
    }
    numbered: dict[str, str] = {}
    count = 0
    for name, value in settings:
        numbered[f"GIT_CONFIG_KEY_{count}"] = name
        numbered[f"GIT_CONFIG_VALUE_{count}"] = value
        count += 1
    return {**kept, **fixed, "GIT_CONFIG_COUNT": str(count), **numbered}
