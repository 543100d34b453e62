package scenarios

import (
	"slices"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Where a key belongs that stands at the wrong place of a document.

// vertexNames are the vertices of a document by their names.
func vertexNames(root *yaml.Node) (names []string, nodes []*yaml.Node) {
	n := valueOf(valueOf(root, "job"), "vertices")
	if n == nil {
		return nil, nil
	}
	for _, v := range n.Content {
		if name := valueOf(v, "name"); name != nil {
			names, nodes = append(names, name.Value), append(nodes, v)
		}
	}
	return names, nodes
}

// ofVertex finds what source.parallelism or job.vertices.source.paralelism stands for: a vertex that the document has, or NAME where
// only a field is given, and the field nearest; "" if it is no field of a vertex.
func ofVertex(root *yaml.Node, key string) (vertex, field string) {
	vertex, field, two := strings.Cut(strings.TrimPrefix(key, "job.vertices."), ".")
	names, _ := vertexNames(root)
	switch {
	case !two && contains(vertexFields, vertex) && vertex != "name" && vertex != "kind" && key == vertex:
		return "NAME", vertex
	case !two || !contains(names, vertex) || strings.Contains(field, "."):
		return "", ""
	case contains(vertexFields, field):
		return vertex, field
	}
	return vertex, option.Closest(field, vertexFields)
}

// belongs says where a key at the top of a document belongs; "" if that cannot be told.
func belongs(root *yaml.Node, key string) string {
	names, _ := vertexNames(root)
	above, below, dotted := strings.Cut(key, ".")
	switch vertex, field := ofVertex(root, key); {
	case field != "" && vertex == "NAME":
		return "it is a field of a vertex, under job.vertices"
	case field != "":
		return "write " + field + ": for the vertex " + vertex + ", under job.vertices"
	case slices.Contains(names, key):
		return "it is a vertex of the job, whose fields stand under job.vertices"
	case dotted && above != "flink" && contains(topFields, above):
		return "write " + below + ": under " + above + ":"
	}
	return ""
}
