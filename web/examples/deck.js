// Starts the example deck. Nothing here knows the embeds: reveal.js tells their frames when slides come and go.
// @ts-check
// @ts-ignore reveal.js defines it
Reveal.initialize({ width: 1024, height: 700, hash: true, transition: "none", controls: true, progress: true });
