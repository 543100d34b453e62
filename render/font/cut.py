#!/usr/bin/env python3
"""Cuts the two faces that the canvas and the stills draw with out of NanumGothic 3.021.

    pip install fonttools            # the only tool needed
    python3 render/font/cut.py [directory with NanumGothic.ttf and NanumGothicBold.ttf]

Kept are ASCII, the signs the project uses and Hangul: the common syllables of hangul.txt plus every syllable that the
project's own texts use. The bold face draws labels only and keeps the syllables of the picture's own words.
digits.ttf is what third_party/liberation stands in with.
Three signs that the font lacks are added: U+202F (a thin space), U+00B5 (as U+03BC) and U+2212 (as U+2013).
The licence (OFL.txt) asks that a changed font does not keep the reserved name, hence "Lab Gothic".
"""
import pathlib, re, sys
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIGNS = "→←↑↓×·≥≤…–—≈±°µ−§“”‘’•∞\u00a0\u202f"
ASCII = "".join(map(chr, range(0x20, 0x7F)))
HANGUL = re.compile("[가-힣]")

def syllables(*patterns):
    found = set()
    for p in patterns:
        for f in filter(pathlib.Path.is_file, ROOT.glob(p)):
            found |= set(HANGUL.findall(f.read_text(encoding="utf-8")))
    return found

def add_signs(font):
    cmap, metrics, glyf = font.getBestCmap(), font["hmtx"], font["glyf"]
    glyf["thinspace"] = Glyph()
    metrics["thinspace"] = (160, 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update({0x202F: "thinspace", 0xB5: cmap[0x3BC], 0x2212: cmap[0x2013]})

def rename(font, bold):
    family = "Lab Gothic"
    style = "Bold" if bold else "Regular"
    names = font["name"]
    names.names = [n for n in names.names if n.nameID in (0, 13, 14) and n.platformID == 3 and n.langID == 0x409]
    for i, text in {1: family, 2: style, 3: family + " " + style, 4: family + " " + style, 6: "LabGothic-" + style}.items():
        names.setName(text, i, 3, 1, 0x409)
    names.setName("SIL Open Font License 1.1", 13, 3, 1, 0x409)

def cut(source, target, text, bold):
    font = TTFont(source)
    add_signs(font)
    o = subset.Options()
    o.hinting, o.layout_features, o.name_IDs, o.notdef_outline = False, [], ["*"], True
    o.drop_tables += ["GSUB", "GPOS", "GDEF", "DSIG", "kern", "gasp", "TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]
    s = subset.Subsetter(o)
    s.populate(text=text)
    s.subset(font)
    rename(font, bold)
    font["head"].created = font["head"].modified = 0  # the same cut gives the same bytes
    font.recalcTimestamp = False
    font.save(target)
    print(target.name, target.stat().st_size, "bytes,", len(font.getBestCmap()), "characters")

def main():
    nanum = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype/nanum")
    common = set(HANGUL.findall((HERE / "hangul.txt").read_text(encoding="utf-8")))
    labels = syllables("render/scene/words.go", "render/plot/*.go", "render/figure/*.go")
    texts = labels | syllables("render/**/*.go", "scenarios/**/*.yaml", "web/**/*.json", "web/**/*.html", "web/**/*.js", "cmd/**/*.go")
    cut(nanum / "NanumGothic.ttf", HERE / "regular.ttf", ASCII + SIGNS + "".join(sorted(common | texts)), False)
    cut(nanum / "NanumGothicBold.ttf", HERE / "bold.ttf", ASCII + SIGNS + "".join(sorted(labels)), True)
    cut(nanum / "NanumGothic.ttf", ROOT / "third_party/liberation/internal/digits/digits.ttf", "0123456789. ", False)

main()
