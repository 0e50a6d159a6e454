package testbed

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLog returns a logger that writes to a console, which every run of a graph tells of its
// start, its warnings and its end. form is console or json.
func NewLog(c *Console, level zapcore.Level, form string) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.EncodeTime = zapcore.ISO8601TimeEncoder
	cfg.EncodeDuration = zapcore.StringDurationEncoder
	encoder := zapcore.NewConsoleEncoder(cfg)
	if form == "json" {
		encoder = zapcore.NewJSONEncoder(cfg)
	}
	return zap.New(zapcore.NewCore(encoder, zapcore.AddSync(logLines{c}), level))
}

// logLines writes lines of a log to a console.
type logLines struct{ c *Console }

func (l logLines) Write(line []byte) (int, error) {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	l.c.write(string(line))
	return len(line), nil
}
