# SPDX-License-Identifier: BSD-3-Clause
"""Validates values by the part of JSON Schema that docs/record.schema.json uses; unknown keywords are errors."""

import re

TYPES = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}


class Schema:
    def __init__(self, schema):
        self.root = schema

    def errors(self, value, schema=None, place=""):
        """What is wrong with a value, each as 'place: reason'."""
        schema = self.root if schema is None else schema
        found = []
        if schema is True:
            return found
        if schema is False:
            return [f"{place}: not allowed"]
        for keyword, wanted in schema.items():
            if keyword in ("$schema", "title", "$defs", "then", "patternProperties"):
                continue
            found += getattr(self, "check_" + keyword.strip("$"))(value, wanted, schema, place)
        if "patternProperties" in schema and isinstance(value, dict):
            for pattern, own in schema["patternProperties"].items():
                for key in value:
                    if re.search(pattern, key):
                        found += self.errors(value[key], own, f"{place}.{key}")
        return found

    def check_ref(self, value, wanted, schema, place):
        return self.errors(value, self.root["$defs"][wanted.rsplit("/", 1)[1]], place)

    def check_type(self, value, wanted, schema, place):
        names = [wanted] if isinstance(wanted, str) else wanted
        return [] if any(TYPES[name](value) for name in names) else [f"{place}: {value!r} is no {' or '.join(names)}"]

    def check_const(self, value, wanted, schema, place):
        return [] if value == wanted else [f"{place}: {value!r} is not {wanted!r}"]

    def check_enum(self, value, wanted, schema, place):
        return [] if value in wanted else [f"{place}: {value!r} is none of {wanted}"]

    def check_pattern(self, value, wanted, schema, place):
        return [f"{place}: {value!r} is no {wanted}"] if isinstance(value, str) and not re.search(wanted, value) else []

    def check_minimum(self, value, wanted, schema, place):
        return [f"{place}: {value} < {wanted}"] if TYPES["number"](value) and value < wanted else []

    def check_maximum(self, value, wanted, schema, place):
        return [f"{place}: {value} > {wanted}"] if TYPES["number"](value) and value > wanted else []

    def check_minItems(self, value, wanted, schema, place):
        return [f"{place}: fewer than {wanted}"] if isinstance(value, list) and len(value) < wanted else []

    def check_items(self, value, wanted, schema, place):
        if not isinstance(value, list):
            return []
        return [error for n, item in enumerate(value) for error in self.errors(item, wanted, f"{place}[{n}]")]

    def check_required(self, value, wanted, schema, place):
        return [f"{place}: no {key}" for key in wanted if isinstance(value, dict) and key not in value]

    def check_properties(self, value, wanted, schema, place):
        if not isinstance(value, dict):
            return []
        return [error for key, own in wanted.items() if key in value
                for error in self.errors(value[key], own, f"{place}.{key}")]

    def check_propertyNames(self, value, wanted, schema, place):
        if not isinstance(value, dict):
            return []
        return [error for key in value for error in self.errors(key, wanted, f"{place}.{key}")]

    def check_additionalProperties(self, value, wanted, schema, place):
        if not isinstance(value, dict):
            return []
        patterns = schema.get("patternProperties", {})
        return [error for key in value
                if key not in schema.get("properties", {}) and not any(re.search(p, key) for p in patterns)
                for error in self.errors(value[key], wanted, f"{place}.{key}")]

    def check_allOf(self, value, wanted, schema, place):
        return [error for own in wanted for error in self.errors(value, own, place)]

    def check_anyOf(self, value, wanted, schema, place):
        found = [self.errors(value, own, place) for own in wanted]
        return [] if any(not errors for errors in found) else min(found, key=len)

    def check_if(self, value, wanted, schema, place):
        return [] if self.errors(value, wanted, place) else self.errors(value, schema["then"], place)
