package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api" // joins modules into one classic script, which alone loads inside a sandbox

	"checkpointlab/web/texts"
)

// bundles are the scripts that stand alone: the module of web/ they are made of, by their name in the page folder. A classic
// script loads where a module does not: in a frame without an origin of its own, from any host.
var bundles = map[string]string{
	"embed.js":          "embed/main.js",
	"embed-first.js":    "embed/first.js",
	"checkpoint-lab.js": "element/element.js",
}

// bundle writes the scripts that stand alone; goroot is the toolchain's folder.
func bundle(web, goroot, outDir string) error {
	for out, entry := range bundles {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{filepath.Join(web, filepath.FromSlash(entry))},
			Bundle:      true, Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetUTF8,
			MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
			TsconfigRaw: "{}", // jsconfig.json is for the check of types alone
			Plugins:     []api.Plugin{virtual(goroot)},
		})
		if err := messages(result.Errors); err != nil {
			return err
		}
		if err := writeIfChanged(filepath.Join(outDir, out), result.OutputFiles[0].Contents); err != nil {
			return err
		}
	}
	return nil
}

func messages(all []api.Message) error {
	var errs []error
	for _, m := range all {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
		}
		errs = append(errs, errors.New(where+m.Text))
	}
	return errors.Join(errs...)
}

// virtual provides the modules that are no files: "go:glue" is Go's loader as a function of what it takes for its window, and
// "texts:PREFIX,…" the sentences whose keys begin so, by language.
func virtual(goroot string) api.Plugin {
	return api.Plugin{Name: "checkpointlab", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^(go|texts):`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: a.Path, Namespace: "made"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "made"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			kind, what, _ := strings.Cut(a.Path, ":")
			make := glueModule
			if kind == "texts" {
				make = textsModule
			}
			text, err := make(goroot, what)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
		})
	}}
}

// glueModule hands Go's loader its window and its timers, so that a program lives in an element and can be ended. The loader writes
// by a variable of its window, which here is none: without it what a program that stops says of the reason would be lost.
func glueModule(goroot, _ string) (string, error) {
	data, err := readGlue(goroot)
	const written = "const fs = { writeSync: (...args) => globalThis.fs.writeSync(...args) };\n"
	return "export function glue(globalThis, setTimeout, clearTimeout) {\n" + written + string(data) + "\n}\n", err
}

func textsModule(_, prefixes string) (string, error) {
	var out strings.Builder
	for _, lang := range texts.Languages() {
		table, some := texts.Must(lang), map[string]string{}
		for _, key := range table.Keys() {
			if group, _, _ := strings.Cut(key, "."); strings.Contains(","+prefixes+",", ","+group+",") {
				some[key] = table.Raw(key)
			}
		}
		data, err := json.Marshal(some)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "export const %s = %s;\n", lang, data)
	}
	return out.String(), nil
}
