package serve

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAPieceIsMadeOnceAndAnewWhenWhatItIsMadeOfChanges(t *testing.T) {
	k := kept{dir: filepath.Join(t.TempDir(), "kept")}
	source := filepath.Join(t.TempDir(), "source")
	write := func(text string) {
		if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	made := 0
	piece := func() string {
		dir, err := k.piece("part", []string{source}, func(dir string) error {
			made++
			data, err := os.ReadFile(source)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "text"), data, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "text"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write("one")
	if first, again := piece(), piece(); first != "one" || again != "one" || made != 1 {
		t.Errorf("the same source was read %d times", made)
	}
	write("two")
	if piece() != "two" || made != 2 {
		t.Error("a changed source gave the piece of before")
	}
	if all, _ := os.ReadDir(k.dir); len(all) != 1 {
		t.Errorf("%d folders are kept of one piece", len(all))
	}
	k.of[0]++
	if piece(); made != 3 {
		t.Error("changed code gave the piece of before")
	}
}

func TestSourcesOfThePictureAreHashedWithoutScenarios(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := keep(root, "./render/still")
	if err != nil {
		t.Fatal(err)
	}
	all, err := keep(root, "./render/still", "./scenarios")
	if err != nil {
		t.Fatal(err)
	}
	if picture.of == all.of {
		t.Error("one package more makes no difference")
	}
	if !scenarioFile(root, filepath.Join(root, "scenarios", "chapter.yaml")) || scenarioFile(root, filepath.Join(root, "scenarios", "load.go")) {
		t.Error("what is a scenario file is mistaken")
	}
}
