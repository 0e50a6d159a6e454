package plot

import "image/color"

// viridis is Matplotlib's palette of that name at equal steps: it rises evenly in
// lightness, so that it reads in grey and to those who see few colours.
var viridis = [...]color.RGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x48, 0x28, 0x78, 0xff}, {0x3e, 0x49, 0x89, 0xff}, {0x31, 0x68, 0x8e, 0xff},
	{0x26, 0x82, 0x8e, 0xff}, {0x1f, 0x9e, 0x89, 0xff}, {0x35, 0xb7, 0x79, 0xff}, {0x6e, 0xce, 0x58, 0xff},
	{0xb5, 0xde, 0x2b, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// shades is how many colours a heat map tells apart.
const shades = 128

// absent is the colour of a pair that was not measured.
var absent = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}

// shade returns which of the shades stands for v between least and greatest. Where
// these are one value, it is the first.
func shade(v, least, greatest float64) int {
	if greatest <= least {
		return 0
	}
	return min(int((v-least)/(greatest-least)*shades), shades-1)
}

func shadeColor(shade int) color.RGBA {
	at := float64(shade) / (shades - 1) * float64(len(viridis)-1)
	below := min(int(at), len(viridis)-2)
	return blend(viridis[below], viridis[below+1], at-float64(below))
}

// blend returns the colour that lies a part (0 to 1) of the way from a to b.
func blend(a, b color.RGBA, part float64) color.RGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + part*(float64(y)-float64(x)) + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// inkOn returns black or white, whichever is easier to read on a background.
func inkOn(background color.RGBA) color.Color {
	luminance := 0.299*float64(background.R) + 0.587*float64(background.G) + 0.114*float64(background.B)
	if luminance > 0x80 {
		return color.Black
	}
	return color.White
}
