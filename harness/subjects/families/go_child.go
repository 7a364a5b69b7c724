// Asks cgo, by which Go calls C, for layouts, and makes and takes calls by it: a program of its own, which `go run` compiles.
// Its arguments and answers are those of ctypes_child.py. What is asked becomes a program with a preamble of C, which Go's
// tools build: the calls are those that cgo makes, and it says itself what it cannot express.

package main

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

const notReady = 70 // the exit status where the functions could not be made

type kind struct {
	Type    string
	Kind    string
	Base    *kind
	Element *kind
	Length  *int
	Members []struct{ Type *kind }
}

// What a type is behind its names.
func (it *kind) core() *kind {
	for it.Type == "Typedef" {
		it = it.Base
	}
	return it
}

type slot struct {
	Offset int
	Narrow int
	Own    int
}

type question struct {
	Text      string
	Types     []*kind
	Names     []string
	Returns   *kind
	Returned  string
	Variadic  bool
	Taken     bool
	Arguments []slot
	Result    *slot
	Live      []struct{ Offset, Size int }
}

type record struct {
	Text       string
	OwnName    string  `json:"own_name"`
	OwnMembers [][]any `json:"own_members"`
}

const head = `package main

// #cgo CFLAGS: -w -O1
// #include "questions.h"
import "C"
import "unsafe"

func in(at uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(&C.abi_in), at) }
func out(at uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(&C.abi_out), at) }
func truth(value C._Bool) int64 {
	if value {
		return 1
	}
	return 0
}
`

func storing(type_ *kind, name string, at *slot, value string) string {
	switch {
	case at.Narrow == 0:
		return fmt.Sprintf("*(*%s)(out(%d)) = %s", name, at.Offset, value)
	case type_.core().Kind == "_Bool":
		return fmt.Sprintf("*(*int64)(out(%d)) = truth(C._Bool(%s))", at.Offset, value)
	}
	return fmt.Sprintf("*(*int64)(out(%d)) = int64(%s)", at.Offset, value)
}

// The C and the Go of a call, and of a callback where one is asked for; `taken` names of those that have one.
func written(number int, one *question) (header, body string) {
	names := make([]string, len(one.Types))
	var loads, params, stores []string
	header = one.Text
	for n, name := range one.Names {
		names[n] = fmt.Sprintf("C.param_%d_%d", number, n)
		header += fmt.Sprintf("typedef __typeof__(%s) param_%d_%d;\n", name, number, n)
		loads = append(loads, fmt.Sprintf("*(*%s)(in(%d))", names[n], one.Arguments[n].Offset))
		params = append(params, fmt.Sprintf("p%d %s", n, names[n]))
		stores = append(stores, "\t"+storing(one.Types[n], names[n], &one.Arguments[n], fmt.Sprintf("p%d", n))+"\n")
	}
	returned, result := "void", ""
	if one.Result != nil {
		returned, result = fmt.Sprintf("result_%d", number), fmt.Sprintf("C.result_%d", number)
		header += fmt.Sprintf("typedef __typeof__(%s) %s;\n", one.Returned, returned)
	}
	typed := make([]string, len(names))
	for n, name := range names {
		typed[n] = strings.TrimPrefix(name, "C.")
	}
	header += fmt.Sprintf("%s probe_%d(%s);\n", returned, number, strings.Join(append(typed, []string{"void"}[min(len(typed), 1):]...), ", "))
	call := fmt.Sprintf("C.probe_%d(%s)", number, strings.Join(loads, ", "))
	body = fmt.Sprintf("\n//export call_%d\nfunc call_%d() {\n\t", number, number)
	if one.Result != nil {
		body += "result := " + call + "\n\t" + storing(one.Returns, result, one.Result, "result") + "\n"
	} else {
		body += call + "\n"
	}
	for _, live := range one.Live {
		body += fmt.Sprintf("\t*(*[%d]byte)(out(%d)) = *(*[%d]byte)(in(%d))\n", live.Size, live.Offset, live.Size, live.Offset)
	}
	body += "}\n"
	if one.Taken {
		body += fmt.Sprintf("\n//export callee_%d\nfunc callee_%d(%s) %s {\n%s", number, number, strings.Join(params, ", "), result, strings.Join(stores, ""))
		if one.Result != nil {
			body += fmt.Sprintf("\treturn *(*%s)(in(%d))\n", result, one.Result.Offset)
		}
		body += "}\n"
	}
	return header, body
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

const driver = `
extern unsigned char abi_in[65536], abi_out[65536];
extern void *abi_functions[4096];
void abi_main(void);
void fill(void);
`

// The program that serves a driver with the functions of questions, in a folder; `library` may be empty where it only has to be built.
func program(asked []question, folder, library string) {
	header, body, stubs, table := driver, head, ".text\n", "#include \"_cgo_export.h\"\nvoid fill(void) {\n"
	for number := range asked {
		text, functions := written(number, &asked[number])
		header, body = header+text, body+functions
		stubs += fmt.Sprintf(".globl probe_%d\nprobe_%d: mov abi_target@GOTPCREL(%%rip), %%r11\njmp *(%%r11)\n", number, number)
		table += fmt.Sprintf("abi_functions[%d] = (void *)call_%d;\n", 2*number, number)
		if asked[number].Taken {
			table += fmt.Sprintf("abi_functions[%d] = (void *)callee_%d;\n", 2*number+1, number)
		}
	}
	flags := fmt.Sprintf("\n// #cgo LDFLAGS: %s -Wl,-rpath,%s\nimport \"C\"\n", library, filepath.Dir(library))
	if library == "" {
		flags = "\n// #cgo LDFLAGS: -Wl,--unresolved-symbols=ignore-all\nimport \"C\"\n"
	}
	put(folder, "go.mod", "module probe\n\ngo 1.18\n")
	put(folder, "questions.h", header)
	put(folder, "questions.go", body+"\nfunc main() {\n\tC.fill()\n\tC.abi_main()\n}\n")
	put(folder, "flags.go", "package main\n"+flags)
	put(folder, "stubs.S", stubs+".section .note.GNU-stack, \"\", @progbits\n")
	put(folder, "table.c", table+"}\n")
}

func put(folder, name, text string) {
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		fail(err.Error())
	}
}

func fail(words string) {
	fmt.Fprintln(os.Stderr, words)
	os.Exit(notReady)
}

// What Go's tools say of a program that they cannot build; empty for one that is at `probe` in its folder.
func build(folder string) string {
	command := exec.Command(filepath.Join(runtime.GOROOT(), "bin", "go"), "build", "-o", "probe", ".")
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=", "CGO_LDFLAGS_ALLOW=.*", "GOTOOLCHAIN=local")
	said, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return string(said) + err.Error()
}

func scratch() string {
	folder, err := os.MkdirTemp("", "abiprobe-go-")
	if err != nil {
		fail(err.Error())
	}
	return folder
}

func first(said string) string {
	for _, one := range strings.Split(said, "\n") {
		if one != "" && !strings.HasPrefix(one, "#") {
			return one
		}
	}
	return said
}

// Of each question why it cannot be asked: built together if that goes, and else by halves.
func can(asked []question) []string {
	if len(asked) == 0 {
		return nil
	}
	folder := scratch()
	defer os.RemoveAll(folder)
	program(asked, folder, "")
	said := build(folder)
	if said == "" {
		return make([]string, len(asked))
	}
	if len(asked) == 1 {
		return []string{first(said)}
	}
	half := len(asked) / 2
	return append(can(asked[:half]), can(asked[half:])...)
}

func serve(asked []question, library string) {
	folder := scratch()
	program(asked, folder, library)
	if said := build(folder); said != "" {
		os.RemoveAll(folder)
		fail(first(said))
	}
	command := exec.Command(filepath.Join(folder, "probe"))
	command.Env = append(os.Environ(), "GOGC=off", "GODEBUG=cgocheck=0,asyncpreemptoff=1")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	os.RemoveAll(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Layouts.

func layouts(asked []record) string {
	header, body := "", "package main\n\n// #cgo CFLAGS: -w\n// #include \"questions.h\"\nimport \"C\"\nimport \"fmt\"\nimport \"unsafe\"\n\nfunc main() {\n\tfmt.Print(\"[\")\n"
	for number, one := range asked {
		header += one.Text + fmt.Sprintf("typedef __typeof__(%s) record_%d;\n", one.OwnName, number)
		var places []string
		for _, steps := range one.OwnMembers {
			at := "uintptr(0)"
			way := fmt.Sprintf("here%d", number)
			for _, step := range steps {
				if index, is := step.(float64); is {
					at += fmt.Sprintf(" + %d * unsafe.Sizeof(%s[0])", int(index), way)
					way += "[0]"
				} else {
					name := step.(string)
					if token.IsKeyword(name) {
						name = "_" + name
					}
					way += "." + name
					at += fmt.Sprintf(" + unsafe.Offsetof(%s)", way)
				}
			}
			places = append(places, fmt.Sprintf("fmt.Sprintf(\"[%%d, null]\", 8 * (%s))", at))
		}
		comma := ""
		if number > 0 {
			comma = ", "
		}
		body += fmt.Sprintf("\tvar here%d C.record_%d\n\tfmt.Printf(`%s{\"size\": %%d, \"align\": %%d, \"places\": [`, unsafe.Sizeof(here%d), unsafe.Alignof(here%d))\n", number, number, comma, number, number)
		for n, place := range places {
			body += fmt.Sprintf("\tfmt.Print(%s, %s)\n", strconv.Quote([]string{"", ", "}[min(n, 1)]), place)
		}
		body += "\tfmt.Print(`]}`)\n"
	}
	folder := scratch()
	defer os.RemoveAll(folder)
	put(folder, "go.mod", "module probe\n\ngo 1.18\n")
	put(folder, "questions.h", header)
	put(folder, "questions.go", body+"\tfmt.Println(\"]\")\n}\n")
	if said := build(folder); said != "" {
		if len(asked) > 1 {
			half := len(asked) / 2
			before, after := strings.TrimSpace(layouts(asked[:half])), strings.TrimSpace(layouts(asked[half:]))
			return before[:len(before)-1] + ", " + after[1:]
		}
		words, _ := json.Marshal(first(said))
		return fmt.Sprintf("[{\"words\": %s}]", words)
	}
	said, err := exec.Command(filepath.Join(folder, "probe")).Output()
	if err != nil {
		fail(err.Error())
	}
	return string(said)
}

func told(path string) (asked []question) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &asked)
	}
	if err != nil {
		fail(err.Error())
	}
	return asked
}

func main() {
	arguments := os.Args[1:]
	switch {
	case len(arguments) == 0:
		var asked []record
		if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
			fail(err.Error())
		}
		fmt.Println(layouts(asked))
	case arguments[0] == "--version":
		fmt.Println("cgo of", runtime.Version())
	case arguments[0] == "--can" && len(arguments) == 2:
		for _, words := range can(told(arguments[1])) {
			text, _ := json.Marshal([]string{words, words})
			fmt.Println(string(text))
		}
	case arguments[0] == "--serve" && len(arguments) == 3:
		serve(told(arguments[1]), arguments[2])
	default:
		fmt.Fprintln(os.Stderr, "error: go takes no options")
		os.Exit(1)
	}
}
